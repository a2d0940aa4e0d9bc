/// What a page does under the pointer: it reads the curves out, and follows a link to its moment.
///
/// Without it nothing is missing but that. Text goes in as text, never as markup.
enum PageScript {
  static let text = """
    "use strict";
    (() => {
      const variants = JSON.parse(document.getElementById("data").textContent);
      const reading = document.getElementById("reading");
      const charts = [...document.querySelectorAll(".variant")];
      // The last place whose value is no more than the one asked for; -1 before the first.
      const place = (count, value, at) => {
        let low = 0, high = count;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (value(middle) <= at) low = middle + 1; else high = middle;
        }
        return low - 1;
      };
      const size = (bytes) => bytes >= 1e6 ? (bytes / 1e6).toFixed(2) + " MB"
        : bytes >= 1e3 ? (bytes / 1e3).toFixed(1) + " KB" : bytes + " B";
      const part = (tag, text) => {
        const element = document.createElement(tag);
        element.textContent = text;
        reading.append(element);
      };
      const show = (index, at) => {
        const variant = variants[index];
        reading.replaceChildren();
        part("b", at.toFixed(1) + " s");
        const point = place(variant.at.length, (i) => variant.at[i], at);
        if (point >= 0) {
          part("span", "handed over " + size(variant.handed[point]));
          part("span", "carried " + size(variant.carried[point]));
          if (variant.claimed[point] !== null)
            part("span", "claimed " + size(variant.claimed[point]));
        }
        for (const row of variant.shown) {
          const stay = place(row.length, (i) => row[i][0], at);
          if (stay >= 0) part("div", variant.lines[row[stay][1]]);
        }
        reading.hidden = false;
        // One moment on all that have the same time axis.
        charts.forEach((chart, other) => {
          const plot = chart.querySelector(".plot");
          const cursor = chart.querySelector(".cursor");
          cursor.hidden = variants[other].group !== variant.group;
          cursor.style.left = plot.offsetLeft + plot.offsetWidth * at / variant.end + "px";
        });
      };
      const hide = () => {
        reading.hidden = true;
        for (const chart of charts) chart.querySelector(".cursor").hidden = true;
      };
      charts.forEach((chart, index) => {
        const area = chart.querySelector(".chart");
        area.addEventListener("pointermove", (event) => {
          const box = chart.querySelector(".plot").getBoundingClientRect();
          const share = (event.clientX - box.left) / box.width;
          if (share >= 0 && share <= 1) show(index, share * variants[index].end); else hide();
        });
        area.addEventListener("pointerleave", hide);
      });
      for (const link of document.querySelectorAll("a[data-at]"))
        link.addEventListener("click", () => {
          const index = charts.findIndex((chart) => "#" + chart.id === link.getAttribute("href"));
          show(index, Math.min(Number(link.dataset.at), variants[index].end));
        });
    })();

    """
}
