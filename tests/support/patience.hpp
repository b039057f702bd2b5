// support/patience: for what depends on how busy a machine is.
#pragma once

namespace weft::test {

/// Seconds for a race: as many as its turns take, however busy the machine is.
constexpr double endless = 1e9;

/// Whether `is_true` returns true in one of so many calls, of which it makes no more than it needs.
/// Where ranks call it together, all get the same answers.
template <class IsTrue>
bool comes_true(const IsTrue& is_true) {
  constexpr int most_tries = 200;
  for (int tried = 0; tried < most_tries; ++tried)
    if (is_true()) return true;
  return false;
}

}  // namespace weft::test
