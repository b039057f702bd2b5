// cli/pages/page: what all pages have: style, sections, tables.
// Pure. Keeps: a page needs no other file and no network.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// The contents of a page. Texts are HTML but for `title`.
struct Page {
  std::string title;   ///< of the window
  std::string style;   ///< CSS rules besides those of all pages
  std::string header;  ///< heading and first lines
  std::string body;    ///< sections
};

/// HTML with its style in it.
std::string html_of(const Page& page);

/// A framed part of a page with a heading.
std::string section(const std::string& title, const std::string& body);

/// The first row has the names of the columns; columns after the first `texts` have numbers.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t texts);

}  // namespace weft::cli
