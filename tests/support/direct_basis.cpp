// support/direct_basis: see the header.
#include "support/direct_basis.hpp"

#include <cmath>
#include <numbers>

namespace weft::test {

namespace {

// Cosines and sines of pi p / q: most of the time of a matrix would go into reducing large angles.
class HalfTurns {
 public:
  explicit HalfTurns(std::size_t q) : cosines_(2 * q), sines_(2 * q) {
    for (std::size_t p = 0; p < 2 * q; ++p) {
      const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(p) /
                                static_cast<long double>(q);
      cosines_[p] = std::cos(angle);
      sines_[p] = std::sin(angle);
    }
  }
  long double cos(std::size_t p) const { return cosines_[p % cosines_.size()]; }
  long double sin(std::size_t p) const { return sines_[p % sines_.size()]; }

 private:
  std::vector<long double> cosines_, sines_;
};

// The orthogonal matrix of a sine or cosine transform: row k, column j.
Matrix orthogonal_matrix(Basis basis, std::size_t n) {
  const auto N = static_cast<long double>(n);
  const long double low = 1 / std::sqrt(2.0L);
  const bool is_dct1 = basis == Basis::dct1, is_dst1 = basis == Basis::dst1;
  const bool has_halves = basis == Basis::dct4 || basis == Basis::dst4;
  const HalfTurns turns(is_dct1 ? n - 1 : is_dst1 ? n + 1 : has_halves ? 4 * n : 2 * n);
  Matrix m(n, std::vector<long double>(n));
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      const auto weight = [&](std::size_t index, bool first, bool last) {
        return ((first && index == 0) || (last && index + 1 == n)) ? low : 1.0L;
      };
      long double& value = m[k][j];
      switch (basis) {
        case Basis::dct1:  // cos(pi j k / (N - 1))
          value = std::sqrt(2 / (N - 1)) * weight(k, true, true) * weight(j, true, true) *
                  turns.cos(j * k);
          break;
        case Basis::dct2:  // cos(pi (j + 1/2) k / N)
          value = std::sqrt(2 / N) * weight(k, true, false) * turns.cos((2 * j + 1) * k);
          break;
        case Basis::dct3:  // cos(pi j (k + 1/2) / N)
          value = std::sqrt(2 / N) * weight(j, true, false) * turns.cos(j * (2 * k + 1));
          break;
        case Basis::dct4:  // cos(pi (j + 1/2) (k + 1/2) / N)
          value = std::sqrt(2 / N) * turns.cos((2 * j + 1) * (2 * k + 1));
          break;
        case Basis::dst1:  // sin(pi (j + 1) (k + 1) / (N + 1))
          value = std::sqrt(2 / (N + 1)) * turns.sin((j + 1) * (k + 1));
          break;
        case Basis::dst2:  // sin(pi (j + 1/2) (k + 1) / N)
          value = std::sqrt(2 / N) * weight(k, false, true) * turns.sin((2 * j + 1) * (k + 1));
          break;
        case Basis::dst3:  // sin(pi (j + 1) (k + 1/2) / N)
          value = std::sqrt(2 / N) * weight(j, false, true) * turns.sin((j + 1) * (2 * k + 1));
          break;
        default:  // sin(pi (j + 1/2) (k + 1/2) / N)
          value = std::sqrt(2 / N) * turns.sin((2 * j + 1) * (2 * k + 1));
      }
    }
  return m;
}

// The matrix that makes values of coefficients: row j, column k is T_k at point j.
Matrix chebyshev_values(Basis basis, std::size_t n) {
  const auto N = static_cast<long double>(n);
  const long double pi = std::numbers::pi_v<long double>;
  Matrix m(n, std::vector<long double>(n));
  for (std::size_t row = 0; row < n; ++row) {
    const auto j = static_cast<long double>(row);
    const long double x =
        basis == Basis::chebyshev ? std::cos(pi * j / (N - 1)) : std::cos(pi * (j + 0.5L) / N);
    // The recurrence T_(k+1) = 2 x T_k - T_(k-1).
    for (std::size_t k = 0; k < n; ++k)
      m[row][k] = k == 0 ? 1 : k == 1 ? x : 2 * x * m[row][k - 1] - m[row][k - 2];
  }
  return m;
}

// Its inverse by discrete orthogonality: row k, column j is what the value at point j contributes
// to the coefficient a_k.
Matrix chebyshev_coefficients(Basis basis, std::size_t n) {
  const bool has_ends = basis == Basis::chebyshev;
  Matrix m(n, std::vector<long double>(n));
  const Matrix values = chebyshev_values(basis, n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      const auto is_end = [&](std::size_t i) { return has_ends && (i == 0 || i + 1 == n); };
      const long double norm = k == 0 || (has_ends && k + 1 == n) ? 1 : 2;
      m[k][j] = norm * (is_end(j) ? 0.5L : 1) * values[j][k] /
                static_cast<long double>(has_ends ? n - 1 : n);
    }
  return m;
}

// The inverse by elimination with the largest pivots.
Matrix inverse(Matrix m) {
  const std::size_t n = m.size();
  Matrix result(n, std::vector<long double>(n));
  for (std::size_t i = 0; i < n; ++i) result[i][i] = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
    std::swap(m[c], m[pivot]);
    std::swap(result[c], result[pivot]);
    const long double scale = 1 / m[c][c];
    for (std::size_t i = 0; i < n; ++i) {
      m[c][i] *= scale;
      result[c][i] *= scale;
    }
    for (std::size_t r = 0; r < n; ++r) {
      const long double factor = r == c ? 0 : m[r][c];
      if (factor == 0) continue;
      for (std::size_t i = 0; i < n; ++i) {
        m[r][i] -= factor * m[c][i];
        result[r][i] -= factor * result[c][i];
      }
    }
  }
  return result;
}

}  // namespace

long double round_trip(Basis basis, std::size_t n) {
  const auto N = static_cast<long double>(n);
  return basis == Basis::dct1 ? 2 * (N - 1) : basis == Basis::dst1 ? 2 * (N + 1) : 2 * N;
}

bool is_chebyshev(Basis basis) {
  return basis == Basis::chebyshev || basis == Basis::chebyshev_gauss;
}

namespace {

// By what scipy's sums weigh an end otherwise than the orthogonal matrix does.
long double end_weight(Basis basis, std::size_t k, std::size_t j, std::size_t n) {
  const long double root = std::sqrt(2.0L);
  long double weight = 1;
  if (basis == Basis::dct1) {
    if (k == 0 || k + 1 == n) weight *= root;
    if (j == 0 || j + 1 == n) weight /= root;
  }
  if (basis == Basis::dct2 && k == 0) weight = root;
  if (basis == Basis::dct3 && j == 0) weight = 1 / root;
  if (basis == Basis::dst2 && k + 1 == n) weight = root;
  if (basis == Basis::dst3 && j + 1 == n) weight = 1 / root;
  return weight;
}

}  // namespace

Matrix forward_matrix(Basis basis, std::size_t n, Norm norm) {
  // Elimination takes as many steps as a line has points, to the power of 3.
  constexpr std::size_t most_eliminated = 200;
  if (is_chebyshev(basis))
    return n > most_eliminated ? chebyshev_coefficients(basis, n)
                               : inverse(chebyshev_values(basis, n));
  Matrix m = orthogonal_matrix(basis, n);
  if (norm == Norm::ortho) return m;
  const long double all = std::sqrt(round_trip(basis, n));
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      m[k][j] *= end_weight(basis, k, j, n) * (norm == Norm::forward ? 1 / all : all);
  return m;
}

Matrix backward_matrix(Basis basis, std::size_t n, Norm norm) {
  if (is_chebyshev(basis)) return chebyshev_values(basis, n);
  const Matrix m = orthogonal_matrix(basis, n);
  const long double all = std::sqrt(round_trip(basis, n));
  Matrix back(n, std::vector<long double>(n));
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      back[j][k] = m[k][j];
      if (norm == Norm::ortho) continue;
      back[j][k] /= end_weight(basis, k, j, n);
      back[j][k] *= norm == Norm::backward ? 1 / all : all;
    }
  return back;
}

}  // namespace weft::test
