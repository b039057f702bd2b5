# weft.plot.timeline_script: what a page of timelines does where scripts run: tells what is at the pointer, and enlarges.
"""The script of timelines. Without it, pages show the whole run."""

SCRIPT = """for (const source of document.querySelectorAll('script[id^="data-"]')) {
  const number = source.id.slice(5), all = JSON.parse(source.textContent);
  const readout = document.getElementById("readout-" + number), says = readout.querySelector("span");
  const pictures = [...document.querySelectorAll(`svg.timeline[data-run="${number}"]`)];
  const first = says.textContent, tall = all.rows * all.height, per = all.seconds / all.units;
  const SVG = "http://www.w3.org/2000/svg";
  let view = [0, all.units];
  readout.hidden = false;
  const text = (value, unit, sizes) => {
    for (const [size, prefix] of sizes)
      if (Math.abs(value) >= size) return Number((value / size).toPrecision(3)) + " " + prefix + unit;
    return value === 0 ? "0" : Number((value / 1e-9).toPrecision(3)) + " n" + unit;
  };
  const time = units => text(units * per, "s", [[1, ""], [1e-3, "m"], [1e-6, "\\u00b5"]]);
  const bytes = count => text(count, "B", [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]]);
  const ranks = row => {
    const low = row * all.size, high = Math.min(low + all.size, all.ranks) - 1;
    return low === high ? `rank ${low}` : `ranks ${low} to ${high}`;
  };
  const redraw = () => {
    for (const picture of pictures) {
      const lanes = picture.querySelector(".lanes"), group = picture.querySelector(".ticks");
      lanes.setAttribute("viewBox", `${view[0]} 0 ${view[1] - view[0]} ${tall}`);
      const left = lanes.x.baseVal.value, width = lanes.width.baseVal.value, bottom = lanes.y.baseVal.value + tall + 2;
      for (const word of picture.querySelectorAll(".direction"))
        word.style.visibility = view[1] - view[0] < all.units ? "hidden" : "";
      group.querySelectorAll("text, line:not(:first-child)").forEach(each => each.remove());
      const span = (view[1] - view[0]) * per, raw = span / Math.max(2, Math.floor(width / 100));
      const ten = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(f => f * ten).find(s => s >= raw);
      for (let t = Math.ceil(view[0] * per / step) * step; t <= view[1] * per + 1e-12; t += step) {
        const x = left + (t / per - view[0]) / (view[1] - view[0]) * width;
        const mark = document.createElementNS(SVG, "line"), word = document.createElementNS(SVG, "text");
        for (const [name, value] of [["x1", x], ["x2", x], ["y1", bottom], ["y2", bottom + 5], ["class", "axis"]]) mark.setAttribute(name, value);
        for (const [name, value] of [["x", x], ["y", bottom + 18], ["text-anchor", "middle"], ["class", "tick"]]) word.setAttribute(name, value);
        word.textContent = time(t / per);
        group.append(mark);
        if (x + 24 < left + width + 4) group.append(word);
      }
    }
  };
  const look = (from, to) => {
    const least = all.units / 1e5, middle = (from + to) / 2, half = Math.min(all.units, Math.max(to - from, least)) / 2;
    const start = Math.min(Math.max(0, middle - half), all.units - 2 * half);
    view = [start, start + 2 * half];
    redraw();
  };
  for (const button of readout.querySelectorAll("button"))
    button.addEventListener("click", () => {
      if (button.dataset.zoom === "all") return look(0, all.units);
      const middle = (view[0] + view[1]) / 2, half = (view[1] - view[0]) / 2 * Number(button.dataset.zoom);
      look(middle - half, middle + half);
    });
  for (const picture of pictures) {
    const lanes = picture.querySelector(".lanes"), mine = lanes.querySelector(".mine");
    let pressed = null;
    const place = event => {
      const box = picture.getBoundingClientRect(), scale = picture.viewBox.baseVal.width / box.width;
      const x = (event.clientX - box.left) * scale - lanes.x.baseVal.value, y = (event.clientY - box.top) * scale - lanes.y.baseVal.value;
      return {at: view[0] + x / lanes.width.baseVal.value * (view[1] - view[0]), row: Math.floor(y / all.height)};
    };
    picture.addEventListener("pointermove", event => {
      const {at, row} = place(event);
      if (row < 0 || row >= all.rows) return;
      const here = all.spans.filter(s => s[0] === row && s[1] <= at && at <= s[1] + Math.max(s[2], 1)).sort((a, b) => a[2] - b[2])[0];
      const its = all.messages.filter(m => Math.floor(m[0] / all.size) === row || Math.floor(m[1] / all.size) === row);
      const middle = rank => (Math.floor(rank / all.size) + 0.5) * all.height;
      mine.setAttribute("d", its.map(m => `M${m[2]} ${middle(m[0])}L${m[3]} ${middle(m[1])}`).join(""));
      const under = its.filter(m => m[2] <= at && at <= m[3]);
      const what = here ? `${all.names[here[3]]}${here[4] > 1 ? ` (${here[4]} times)` : ""}, ${time(here[2])} from ${time(here[1])} on` : time(at);
      const flight = under.slice(0, 2).map(m => `${bytes(m[4])} from rank ${m[0]} to ${m[1]} (${all.stages[m[5]]})`);
      says.textContent = `${ranks(row)}: ${what}${flight.length ? "; under way: " + flight.join(", ") : ""}${under.length > 2 ? `, and ${under.length - 2} more` : ""}`;
    });
    picture.addEventListener("pointerleave", () => { mine.removeAttribute("d"); says.textContent = first; pressed = null; });
    picture.addEventListener("pointerdown", event => { if (event.pointerType === "mouse") pressed = place(event).at; });
    picture.addEventListener("pointerup", event => {
      if (pressed === null) return;
      const at = place(event).at, from = Math.min(pressed, at), to = Math.max(pressed, at);
      pressed = null;
      if (to - from > (view[1] - view[0]) / 100) look(from, to);
    });
  }
}
"""

STYLE = """.definitions { position: absolute; width: 0; height: 0; overflow: hidden; }
.timeline { touch-action: pan-y; user-select: none; }
.timeline .lanes { overflow: hidden; }
.timeline path.mine { fill: none; stroke: #000; stroke-width: 1.4; vector-effect: non-scaling-stroke; pointer-events: none; }
.border { stroke: #55616e; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
.faint { fill: none; stroke: #222; stroke-opacity: .3; stroke-width: 1; vector-effect: non-scaling-stroke; }
.readout { min-height: 3em; margin: 4px 0 10px; }
.readout button { font: inherit; padding: 1px 9px; border: 1px solid #9aa5b1; border-radius: 5px; background: #fff; color: inherit; }
"""
