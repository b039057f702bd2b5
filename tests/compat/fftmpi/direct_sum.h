/* compat/fftmpi/direct_sum: the reference of programs in C and C++, sums in long double over whole
 * grids that every rank has, the fastest axis first; and the values that programs transform. Shares
 * nothing with weft. */
#ifndef DIRECT_SUM_H
#define DIRECT_SUM_H

#include <math.h>
#include <stdlib.h>

/* The real (0) or imaginary (1) part of a grid's value at a point. */
static inline double value_at(long point, int part) {
  return sin(0.37 * (double)(point + 1) + 1.3 * part) +
         0.25 * cos(2.1 * (double)point * (part + 1));
}

/* The index of a point of a grid of n[0] x n[1] x n[2] points. */
static inline long index_of(const int* n, int i, int j, int k) {
  return i + (long)n[0] * (j + (long)n[1] * k);
}

/* Sums along one axis, whose neighbours are `stride` complex numbers apart, in place. */
static inline void sum_along(long double* field, int length, long stride, long points, int sign) {
  const long double turn = 2 * acosl(-1.0L) / length;
  long double* line = (long double*)malloc(2 * (size_t)length * sizeof(long double));
  for (long first = 0; first < points; ++first) {
    if (first / stride % length != 0) continue;
    for (int k = 0; k < length; ++k) {
      long double re = 0, im = 0;
      for (int j = 0; j < length; ++j) {
        const long double angle = sign * turn * (long double)((long)j * k % length);
        const long double* const x = field + 2 * (first + j * stride);
        re += x[0] * cosl(angle) - x[1] * sinl(angle);
        im += x[0] * sinl(angle) + x[1] * cosl(angle);
      }
      line[2 * k] = re;
      line[2 * k + 1] = im;
    }
    for (int k = 0; k < length; ++k)
      for (int part = 0; part < 2; ++part)
        field[2 * (first + k * stride) + part] = line[2 * k + part];
  }
  free(line);
}

/* The spectrum of the values on a grid, for the exponent's sign -1 or 1; free() it. */
static inline long double* direct_sum(const int* n, int sign) {
  const long points = (long)n[0] * n[1] * n[2];
  long double* field = (long double*)malloc(2 * (size_t)points * sizeof(long double));
  for (long at = 0; at < 2 * points; ++at) field[at] = value_at(at / 2, (int)(at % 2));
  sum_along(field, n[0], 1, points, sign);
  sum_along(field, n[1], n[0], points, sign);
  sum_along(field, n[2], (long)n[0] * n[1], points, sign);
  return field;
}

/* How a grid may be divided over the ranks: lo and hi of each axis, inclusive. */
enum { SLOW_SLABS, UNEVEN_FAST, UNEVEN_MID, ON_LAST_RANK, PENCILS, DIVISIONS };
static inline void bounds_of(int division, const int* n, int rank, int ranks, int* bounds) {
  const int across = ranks % 2 == 0 ? 2 : 1, along = ranks / across;
  for (int axis = 0; axis < 3; ++axis) {
    bounds[2 * axis] = 0;
    bounds[2 * axis + 1] = n[axis] - 1;
  }
  if (division == SLOW_SLABS) {
    bounds[4] = rank * n[2] / ranks;
    bounds[5] = (rank + 1) * n[2] / ranks - 1;
  } else if (division == UNEVEN_FAST || division == UNEVEN_MID) {
    const int axis = division == UNEVEN_FAST ? 0 : 1, at = ranks - 1 - rank;
    bounds[2 * axis] = n[axis] * at * at / (ranks * ranks);
    bounds[2 * axis + 1] = n[axis] * (at + 1) * (at + 1) / (ranks * ranks) - 1;
  } else if (division == ON_LAST_RANK && rank != ranks - 1) {
    bounds[2] = 5; /* none, said otherwise than by 0 and -1 */
    bounds[3] = 3;
  } else if (division == PENCILS) {
    bounds[0] = rank % across * n[0] / across;
    bounds[1] = (rank % across + 1) * n[0] / across - 1;
    bounds[4] = rank / across * n[2] / along;
    bounds[5] = (rank / across + 1) * n[2] / along - 1;
  }
}

/* The number of points in such bounds. */
static inline long points_in(const int* bounds) {
  long points = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const int extent = bounds[2 * axis + 1] - bounds[2 * axis] + 1;
    points *= extent > 0 ? extent : 0;
  }
  return points;
}

/* Where the point (i, j, k) lies in an array of a brick, after `permute` permutations of its axes.
 */
static inline long place_of(const int* bounds, int permute, int axes, int i, int j, int k) {
  const int at[3] = {i - bounds[0], j - bounds[2], k - bounds[4]};
  long place = 0;
  for (int step = axes - 1; step >= 0; --step) {
    const int axis = (step + permute) % axes;
    place = place * (bounds[2 * axis + 1] - bounds[2 * axis] + 1) + at[axis];
  }
  return place;
}

/* Calls `with(point, place)` for the points of a brick, as a loop. */
#define FOR_POINTS(n, bounds, permute, axes)                                      \
  for (int k_ = (bounds)[4]; k_ <= (bounds)[5]; ++k_)                             \
    for (int j_ = (bounds)[2]; j_ <= (bounds)[3]; ++j_)                           \
      for (int i_ = (bounds)[0]; i_ <= (bounds)[1]; ++i_)                         \
        for (long point = index_of(n, i_, j_, k_),                                \
                  place = place_of(bounds, permute, axes, i_, j_, k_), once_ = 1; \
             once_; once_ = 0)

#endif
