// cli/pages/page: the style, and elements of HTML.

#include "weft/cli/pages/page.hpp"

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/svg.hpp"

namespace weft::cli {

namespace {

// The colours are those of the page of ./dev demo.
constexpr const char* style_of_pages = R"(:root {
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2430; --soft: #5b6876; --line: #e3e7ec;
  --c0: #1f6fb2; --c1: #c8591b; --c2: #1a7f4b; --c3: #8a4fbf; --c4: #b0870b; --c5: #5b6876;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10151b; --card: #182029; --ink: #e4eaf0; --soft: #94a3b3; --line: #2a3542;
    --c0: #5cabe8; --c1: #f0935a; --c2: #58c78d; --c3: #bb8ce8; --c4: #d9b64a; --c5: #94a3b3;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.6 Inter, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 32px 20px; }
.grid { display: grid; gap: 18px; margin-top: 18px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 6px; }
h2 { font-size: 1.12rem; margin: 0 0 8px; }
p { margin: 0 0 10px; }
.soft { color: var(--soft); font-size: .92rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  padding: 20px 22px; min-width: 0; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .94rem; }
th { text-align: left; color: var(--soft); font-weight: 500; font-size: .84rem; }
th, td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
svg { width: 100%; height: auto; }
svg.map { max-width: 460px; }
svg text { fill: var(--soft); font-size: 12px; }
svg text.cell { fill: #16202b; font-size: 11px; }
svg .mark { stroke: var(--line); }
.legend { font-size: .88rem; color: var(--soft); }
.legend span { margin-right: 14px; white-space: nowrap; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px;
  margin-right: 5px; vertical-align: -1px; }
)";

}  // namespace

std::string html_of(const Page& page) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n",
      escaped(page.title));
  text +=
      fmt::format("<style>\n{}{}</style>\n</head>\n<body>\n<main>\n", style_of_pages, page.style);
  text += fmt::format("<header>\n{}</header>\n{}", page.header, page.body);
  return text + "</main>\n</body>\n</html>\n";
}

std::string section(const std::string& title, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, body);
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t texts) {
  std::string text = "<table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      text += fmt::format("<{0}{1}>{2}</{0}>", r == 0 ? "th" : "td",
                          c < texts ? "" : " class=\"number\"", escaped(rows[r][c]));
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace weft::cli
