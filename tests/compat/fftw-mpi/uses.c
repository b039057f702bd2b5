// tests/compat/fftw-mpi/uses: direct sums in long double, axis by axis.
#include "uses.h"

int failures = 0, checks = 0;

static const long double two_pi = 6.283185307179586476925286766559005768L;

ptrdiff_t points_of(int rnk, const ptrdiff_t* n) {
  ptrdiff_t points = 1;
  for (int axis = 0; axis < rnk; ++axis) points *= n[axis];
  return points;
}

field some_field(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, int is_complex) {
  field f = {rnk, {0}, howmany, NULL};
  memcpy(f.n, n, (size_t)rnk * sizeof *n);
  const ptrdiff_t numbers = points_of(rnk, n) * howmany;
  f.at = malloc((size_t)(numbers > 0 ? numbers : 1) * sizeof *f.at);
  for (ptrdiff_t i = 0; i < numbers; ++i)  // exact in single precision
    f.at[i] = (number)((i * 37 + 11) % 101 - 50) / 64 +
              (is_complex ? (number)((i * 53 + 29) % 97 - 48) / 64 * I : 0);
  return f;
}

void free_field(field* f) { free(f->at); }

// Lines along an axis begin at outer * n * inner + k, `inner` numbers apart.
typedef number (*kernel)(const number* line, ptrdiff_t n, ptrdiff_t stride, ptrdiff_t k, int kind);

static void along(field* f, int axis, kernel sum, int kind) {
  const ptrdiff_t n = f->n[axis];
  const ptrdiff_t inner = points_of(f->rnk - axis - 1, f->n + axis + 1) * f->howmany;
  const ptrdiff_t outer = points_of(axis, f->n);
  number* const line = malloc((size_t)n * sizeof *line);
  for (ptrdiff_t o = 0; o < outer; ++o)
    for (ptrdiff_t i = 0; i < inner; ++i) {
      number* const first = f->at + o * n * inner + i;
      for (ptrdiff_t k = 0; k < n; ++k) line[k] = sum(first, n, inner, k, kind);
      for (ptrdiff_t k = 0; k < n; ++k) first[k * inner] = line[k];
    }
  free(line);
}

static number wave(const number* line, ptrdiff_t n, ptrdiff_t stride, ptrdiff_t k, int sign) {
  number sum = 0;
  for (ptrdiff_t j = 0; j < n; ++j) {
    const long double angle = sign * two_pi * (long double)(j * k % n) / (long double)n;
    sum += line[j * stride] * (cosl(angle) + sinl(angle) * I);
  }
  return sum;
}

void fourier(field* f, int axis, int sign) { along(f, axis, wave, sign); }

// "What FFTW Really Computes" in its manual.
static number sines(const number* line, ptrdiff_t n, ptrdiff_t stride, ptrdiff_t k, int kind) {
  number sum = 0;
  const long double pi = two_pi / 2, m = (long double)n;
  const number first = line[0], last = line[(n - 1) * stride];
  const long double alternating = k % 2 == 0 ? 1 : -1;
  if (kind == FFTW_REDFT00) {
    sum = first + alternating * last;
    for (ptrdiff_t j = 1; j < n - 1; ++j) sum += 2 * line[j * stride] * cosl(pi * j * k / (m - 1));
  } else if (kind == FFTW_REDFT01) {
    sum = first;
    for (ptrdiff_t j = 1; j < n; ++j) sum += 2 * line[j * stride] * cosl(pi * j * (k + 0.5L) / m);
  } else if (kind == FFTW_RODFT01) {
    sum = alternating * last;
    for (ptrdiff_t j = 0; j < n - 1; ++j) sum += 2 * line[j * stride] * sinl(pi * (j + 1) * (k + 0.5L) / m);
  } else if (kind == FFTW_DHT) {
    for (ptrdiff_t j = 0; j < n; ++j) sum += line[j * stride] * (cosl(two_pi * j * k / m) + sinl(two_pi * j * k / m));
  } else {
    for (ptrdiff_t j = 0; j < n; ++j) {
      const long double x = kind == FFTW_REDFT10   ? cosl(pi * (j + 0.5L) * k / m)
                            : kind == FFTW_REDFT11 ? cosl(pi * (j + 0.5L) * (k + 0.5L) / m)
                            : kind == FFTW_RODFT00 ? sinl(pi * (j + 1) * (k + 1) / (m + 1))
                            : kind == FFTW_RODFT10 ? sinl(pi * (j + 0.5L) * (k + 1) / m)
                                                   : sinl(pi * (j + 0.5L) * (k + 0.5L) / m);
      sum += 2 * line[j * stride] * x;
    }
  }
  return sum;
}

void real_kind(field* f, int axis, F(r2r_kind) kind) { along(f, axis, sines, (int)kind); }

// The place in an array of the number at `i` of the part, or -1 if it is another rank's.
static ptrdiff_t place_of(const field* f, part p, const ptrdiff_t* i) {
  ptrdiff_t extents[8], index[8];
  for (int axis = 0; axis < f->rnk; ++axis) {
    extents[axis] = f->n[axis];
    index[axis] = i[axis];
  }
  index[p.axis] -= p.start;
  extents[p.axis] = p.n;
  if (index[p.axis] < 0 || index[p.axis] >= p.n) return -1;
  if (p.row > 0) extents[f->rnk - 1] = p.row;
  if (p.is_exchanged) {
    const ptrdiff_t e = extents[0], x = index[0];
    extents[0] = extents[1];
    index[0] = index[1];
    extents[1] = e;
    index[1] = x;
  }
  ptrdiff_t place = 0;
  for (int axis = 0; axis < f->rnk; ++axis) place = place * extents[axis] + index[axis];
  return place * f->howmany;
}

static ptrdiff_t place_of_number(const field* f, part p, ptrdiff_t point) {
  ptrdiff_t i[8] = {0};
  for (int axis = f->rnk - 1; axis >= 0; --axis) {
    i[axis] = point % f->n[axis];
    point /= f->n[axis];
  }
  return place_of(f, p, i);
}

void put(const field* f, part p, real* array, int is_complex) {
  const int width = is_complex ? 2 : 1;
  for (ptrdiff_t point = 0; point < points_of(f->rnk, f->n); ++point) {
    const ptrdiff_t place = place_of_number(f, p, point);
    for (ptrdiff_t h = 0; place >= 0 && h < f->howmany; ++h) {
      const number x = f->at[point * f->howmany + h];
      array[(place + h) * width] = (real)creall(x);
      if (is_complex) array[(place + h) * width + 1] = (real)cimagl(x);
    }
  }
}

void compare(const field* f, part p, const real* array, int is_complex, const char* what, int rank) {
  const int width = is_complex ? 2 : 1;
  long double largest = 1, error = 0;
  for (ptrdiff_t point = 0; point < points_of(f->rnk, f->n); ++point)
    for (ptrdiff_t h = 0; h < f->howmany; ++h) {
      const number x = f->at[point * f->howmany + h];
      if (cabsl(x) > largest) largest = cabsl(x);
      const ptrdiff_t place = place_of_number(f, p, point);
      if (place < 0) continue;
      const real* const y = array + (place + h) * width;
      const long double e = cabsl(x - y[0] - (is_complex ? y[1] * I : 0));
      if (!(e <= error)) error = e;
    }
  ++checks;
  if (error <= 20 * EPSILON * largest) return;
  ++failures;
  printf("rank %d: %s: an error of %Lg, largest %Lg\n", rank, what, error, largest);
}

void expect(int holds, const char* what, int rank) {
  ++checks;
  if (holds) return;
  ++failures;
  printf("rank %d: %s\n", rank, what);
}
