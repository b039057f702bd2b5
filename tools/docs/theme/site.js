// site.js: the menu of narrow screens, and the search, whose list of sections is loaded when it is first used. Pages work without it.
document.documentElement.classList.add("js");
const menu = document.getElementById("menu");
menu.addEventListener("click", () => {
  menu.setAttribute("aria-expanded", document.getElementById("pages").classList.toggle("shown"));
});
document.querySelector("#pages [aria-current]")?.scrollIntoView({block: "nearest"});

const top_ = document.body.dataset.top, field = document.getElementById("search"), found = document.getElementById("found");
let loading;

function load() {
  loading ??= new Promise(resolve => {
    const script = document.createElement("script");
    script.src = top_ + "sections.js";
    script.onload = script.onerror = resolve;
    document.head.append(script);
  });
  return loading;
}

// A section is found if it has all words: first those with the words in their headings, then those that have them side by side or more often.
function worth(words, [, page, heading, text]) {
  let sum = 0;
  for (const word of words) {
    const inText = text.toLowerCase().split(word).length - 1, inHeading = heading.toLowerCase().includes(word), inPage = page.toLowerCase().includes(word);
    if (!inText && !inHeading && !inPage) return 0;
    sum += 30 * inHeading + (heading.toLowerCase() === word ? 40 : 0) + 10 * inPage + Math.min(inText, 8);
  }
  if (words.length > 1 && text.toLowerCase().includes(words.join(" "))) sum += 15;
  return page.startsWith("Lab notes") ? sum / 3 : sum;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, letter => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[letter]);
}

function marked(text, words) {
  const pattern = new RegExp(`(${words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return text.split(pattern).map((part, i) => i % 2 ? `<mark>${escaped(part)}</mark>` : escaped(part)).join("");
}

async function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  if (found.hidden) return;
  await load();
  const best = (window.weftSections ?? []).map(section => [worth(words, section), section]).filter(([value]) => value > 0)
    .sort((a, b) => b[0] - a[0]).slice(0, 20);
  found.innerHTML = best.map(([, [address, page, heading, text]]) => {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 50);
    return `<li><a href="${top_}${address}">${marked(heading, words)}<small>${escaped(page)}</small>` +
           `<small>${at ? "… " : ""}${marked(text.slice(at, at + 140), words)} …</small></a></li>`;
  }).join("") || '<li class="none">Nothing was found: all words must be in one section.</li>';
}

field.addEventListener("focus", load);
field.addEventListener("input", show);
document.addEventListener("keydown", event => {
  if (event.key === "Escape") found.hidden = true;
  if (event.key === "/" && document.activeElement === document.body) { event.preventDefault(); field.focus(); }
  const links = [...found.querySelectorAll("a")], now = links.indexOf(document.activeElement);
  if (found.hidden || !links.length || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
  event.preventDefault();
  (links[now + (event.key === "ArrowDown" ? 1 : -1)] ?? field).focus();
});
document.addEventListener("click", event => { if (!event.target.closest(".search")) found.hidden = true; });
