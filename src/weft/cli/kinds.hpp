// cli/kinds: what `--kind` means: the kind of a problem, and the bases of its axes.
// Pure: no MPI, no files.
#pragma once

#include <string>
#include <vector>

#include "weft/problem/validated.hpp"

namespace weft::cli {

/// What `--kind` accepts, in words.
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

/// Sets the kind and the bases of `problem`, whose extents are known, by the word that `--kind`
/// has. `axes` are those that are transformed, in the order in which the word lists their bases.
/// Lists of bases that tell no kind are of real fields, r2r or with a Fourier axis r2c, whose
/// spectra the inverse takes; or of complex ones, c2c, where `file` is complex and is no such
/// spectrum. Error::invalid if there are not as many bases as axes, and for what is no kind.
void set_kind(Problem& problem, const std::string& word, const std::vector<int>& axes,
              const KindOfFile& file);

}  // namespace weft::cli
