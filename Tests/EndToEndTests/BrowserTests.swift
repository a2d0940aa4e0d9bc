import Foundation
import Testing

extension EndToEnd {
  /// The pages of a run and of a comparison, in a browser that is not ours.
  @Suite(
    .enabled(
      if: Browser.executable != nil,
      "there is no chromium in PATH; apt-get install chromium, and these tests run"))
  struct InBrowser {
    /// Each page in frames of both widths, with a pointer over its first plot of a variant.
    private static func harness(_ pages: [String]) -> String {
      let frames = pages.enumerated().flatMap { index, page in
        let quoted = page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        return [360, 1600].map { width in
          "<iframe name=\"page \(index)\" width=\"\(width)\" height=\"800\""
            + " srcdoc=\"\(quoted)\"></iframe>"
        }
      }
      return """
        <!doctype html><body>\(frames.joined())<pre id="found"></pre><script>
        addEventListener("load", () => {
          for (const frame of document.querySelectorAll("iframe")) {
            const page = frame.contentDocument, root = page.documentElement;
            const plot = page.querySelector(".plot").getBoundingClientRect();
            page.querySelector(".variant .chart").dispatchEvent(new PointerEvent("pointermove",
              { clientX: plot.left + plot.width / 2, clientY: plot.top + 5, bubbles: true }));
            document.getElementById("found").textContent +=
              `${frame.name} width ${frame.width} overflow ${root.scrollWidth - root.clientWidth}` +
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
      var scenario = ScenarioText.small
      scenario.variants = [.before, .after]
      try scratch.write(scenario.text, as: "small.yaml")
      let run = try await onebar("run", "small.yaml", "--time", "virtual", in: scratch)
      #expect(run.code == 0)
      let comparison = try await onebar(
        "compare", "out/small", "out/small", "--out", "out", in: scratch)
      #expect(comparison.code == 0)
      // A moment of a run is shown in all of its variants, one of a pair in both of its sides.
      let pages = ["out/small/report.html", "out/compare.html"].map { scratch.text(of: $0) }
      try scratch.write(Self.harness(pages), as: "harness.html")
      let visit = try Browser.visit("harness.html", in: scratch)
      #expect(visit.console.isEmpty, "\(visit.console)")
      for index in pages.indices {
        for width in [360, 1600] {
          let found = "page \(index) width \(width) overflow 0 reading true cursors 2\n"
          #expect(visit.document.contains(found), "\(visit.document.suffix(400))")
        }
      }
    }
  }
}
