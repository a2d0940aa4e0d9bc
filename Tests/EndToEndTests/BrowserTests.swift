import Foundation
import Testing

extension EndToEnd {
  /// The page of a run, in a browser that is not ours.
  @Suite(
    .enabled(
      if: Browser.executable != nil,
      "there is no chromium in PATH; apt-get install chromium, and these tests run"))
  struct InBrowser {
    /// The page in frames of both widths, with a pointer over its first plot.
    private static func harness(_ page: String) -> String {
      let quoted = page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
      let frames = [360, 1600].map { width in
        "<iframe width=\"\(width)\" height=\"800\" srcdoc=\"\(quoted)\"></iframe>"
      }
      return """
        <!doctype html><body>\(frames.joined())<pre id="found"></pre><script>
        addEventListener("load", () => {
          for (const frame of document.querySelectorAll("iframe")) {
            const page = frame.contentDocument, root = page.documentElement;
            const plot = page.querySelector(".plot").getBoundingClientRect();
            page.querySelector(".chart").dispatchEvent(new PointerEvent("pointermove",
              { clientX: plot.left + plot.width / 2, clientY: plot.top + 5, bubbles: true }));
            document.getElementById("found").textContent +=
              `width ${frame.width} overflow ${root.scrollWidth - root.clientWidth}` +
              ` reading ${!page.getElementById("reading").hidden}` +
              ` cursors ${[...page.querySelectorAll(".cursor")].filter((c) => !c.hidden).length}\\n`;
          }
        });
        </script>
        """
    }

    @Test func `a page has no error, fits a phone and a wide screen, and reads its curves out`()
      async throws
    {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      let run = try OnebarProcess(
        ["run", "small.yaml", "--time", "virtual", "--out", "out"], in: scratch)
      #expect(try await run.end().code == 0)
      let page = scratch.text(of: "out/small/report.html")
      try scratch.write(Self.harness(page), as: "harness.html")

      let visit = try Browser.visit("harness.html", in: scratch)
      #expect(visit.console.isEmpty, "\(visit.console)")
      let variants = page.components(separatedBy: "class=\"variant\"").count - 1
      for width in [360, 1600] {
        let found = "width \(width) overflow 0 reading true cursors \(variants)"
        #expect(visit.document.contains(found), "\(visit.document.suffix(400))")
      }
    }
  }
}
