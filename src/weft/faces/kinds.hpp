// faces/kinds: which axes are transformed, and how: the words for axes, kinds and bases.
// Pure: no MPI, no files.
#pragma once

#include <string>
#include <vector>

#include "weft/problem/validated.hpp"

namespace weft {

/// The words for kinds and bases.
extern const char* const kinds_text;

/// The parts of a word: "c2c" has no bases, "sff" no kind, "c2c:sff" both.
struct KindWord {
  std::string kind, bases;
};
/// Error::invalid for what is no kind.
KindWord parse_kind_word(const std::string& word);

/// What is transformed, where a word does not tell: real numbers or complex ones, there or back.
struct KindOfFile {
  bool is_complex = false, is_inverse = false;
};

/// The axes that "0,2" or "-1" names, of `shape`; all of them if the text is empty. Error::invalid,
/// naming `name`, for axes that are not there, and for one that is named twice.
std::vector<int> parse_axes(const std::string& name, const std::string& text, const Extents& shape);

/// Sets the kind and the bases of `problem`, whose extents are known, by a word for both. `axes`
/// are those that are transformed, in the order in which the word lists their bases. Lists of bases
/// that tell no kind are of real fields, r2r or with a Fourier axis r2c, whose spectra the inverse
/// takes; or of complex ones, c2c, where `file` is complex and is no such spectrum. Error::invalid
/// if there are not as many bases as axes, and for what is no kind.
void set_kind(Problem& problem, const std::string& word, const std::vector<int>& axes,
              const KindOfFile& file);

}  // namespace weft
