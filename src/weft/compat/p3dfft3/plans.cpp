// compat/p3dfft3/plans: what P3DFFT++ calls transforms, as plans of weft.
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <weft/any_plan.hpp>
#include <weft/error.hpp>

#include "p3dfft.h"
#include "weft/compat/shared/ending.hpp"

using weft::AnyPlan;
using weft::Basis;
using weft::Error;
using weft::compat::end_program;
using weft::compat::or_end;

namespace {

// A type by its id: what its name says.
struct Type {
  std::string name;
  bool is_empty = false, is_single = false;

  bool is(const char* beginning) const { return name.rfind(beginning, 0) == 0; }
  bool is_sum() const { return is("DCT") || is("DST"); }
};

Type type_of(int id) {
  static const std::vector<std::string> names = {
#define WEFT_NAME(NAME) #NAME,
      WEFT_P3DFFT3_TYPES(WEFT_NAME)
#undef WEFT_NAME
  };
  if (id < 0 || id >= static_cast<int>(names.size()))
    throw Error(Error::invalid, "there is no transform of the id " + std::to_string(id),
                "P3DFFT_R2CFFT_D and the other ids of p3dfft.h");
  const std::string& name = names[static_cast<std::size_t>(id)];
  return {name, name.rfind("EMPTY", 0) == 0, name.back() == 'S'};
}

// The transform of a sine or cosine type; on the way back, the one whose way back it is.
Basis basis_of(const Type& type, bool is_backward) {
  if (!type.is_sum()) return Basis::fourier;
  static constexpr Basis cosines[] = {Basis::dct1, Basis::dct2, Basis::dct3, Basis::dct4};
  static constexpr Basis sines[] = {Basis::dst1, Basis::dst2, Basis::dst3, Basis::dst4};
  static constexpr std::size_t inverse[] = {0, 2, 1, 3};
  auto number = static_cast<std::size_t>(type.name[3] - '1');
  if (is_backward) number = inverse[number];
  return type.is("DCT") ? cosines[number] : sines[number];
}

weft::Distribution distribution_of(const weft_p3dfft3_side& side) {
  weft::Box box;
  std::vector<int> order(3);
  for (int a = 0; a < 3; ++a) {
    box.lo.push_back(side.start[a]);
    box.hi.push_back(side.start[a] + side.size[a]);
    if (side.order[a] < 0 || side.order[a] > 2)
      throw Error(Error::invalid, "a memory order has the numbers 0, 1 and 2");
    order[static_cast<std::size_t>(2 - side.order[a])] = a;
  }
  auto mine = weft::Distribution::of_my_boxes({box});
  mine.storage.order = order;
  return mine;
}

// A plan, and whether it is run the way back.
struct Planned {
  std::unique_ptr<AnyPlan> plan;
  bool is_backward = false;
  std::int64_t from_bytes = 0, to_bytes = 0;
};

struct Wanted {
  const weft_p3dfft3_side &in, &out;
  std::vector<Type> types;
  bool is_in_complex, is_out_complex, is_single;
};

bool has(const std::vector<Type>& types, const char* beginning) {
  return std::any_of(types.begin(), types.end(),
                     [&](const Type& type) { return type.is(beginning); });
}

void check(const Wanted& wanted) {
  std::string names;
  for (const Type& type : wanted.types) names += (names.empty() ? "" : ", ") + type.name;
  const bool forward = has(wanted.types, "R2CFFT") || has(wanted.types, "CFFT_FORWARD");
  const bool backward = has(wanted.types, "C2RFFT") || has(wanted.types, "CFFT_BACKWARD");
  if (forward && backward)
    throw Error(Error::unsupported,
                "one transform goes forward along some axes and back along others: " + names,
                "a transform for each direction");
  if (std::count_if(wanted.types.begin(), wanted.types.end(),
                    [](const Type& t) { return t.is("R2CFFT") || t.is("C2RFFT"); }) > 1)
    throw Error(Error::invalid, "only one axis can be halved: " + names);
  for (const Type& type : wanted.types)
    if (!type.is_empty && type.is_single != wanted.is_single)
      throw Error(Error::invalid,
                  "the arrays and the type " + type.name + " have different precisions");
  const bool to_complex = has(wanted.types, "R2CFFT"), to_real = has(wanted.types, "C2RFFT");
  if ((wanted.is_in_complex != wanted.is_out_complex) != (to_complex || to_real) ||
      (to_complex && wanted.is_in_complex) || (to_real && wanted.is_out_complex) ||
      ((forward || backward) && !to_complex && !to_real && !wanted.is_in_complex))
    throw Error(Error::invalid, "the types of the arrays are not those of the transforms " + names);
}

weft::Problem problem_of(const Wanted& wanted, bool is_backward) {
  const weft_p3dfft3_side &space = is_backward ? wanted.out : wanted.in,
                          &waves = is_backward ? wanted.in : wanted.out;
  weft::Problem problem;
  problem.extents = {space.points[0], space.points[1], space.points[2]};
  const bool is_space_complex = is_backward ? wanted.is_out_complex : wanted.is_in_complex;
  const bool are_waves_complex = is_backward ? wanted.is_in_complex : wanted.is_out_complex;
  problem.kind = is_space_complex    ? weft::Kind::c2c
                 : are_waves_complex ? weft::Kind::r2c
                                     : weft::Kind::r2r;
  problem.precision =
      wanted.is_single ? weft::Precision::single_precision : weft::Precision::double_precision;
  problem.norm = weft::Norm::none;
  std::vector<int> axes;
  int halved = -1;
  for (int a = 0; a < 3; ++a) {
    const Type& type = wanted.types[static_cast<std::size_t>(a)];
    problem.bases.push_back(basis_of(type, is_backward));
    if (type.is("R2CFFT") || type.is("C2RFFT"))
      halved = a;
    else if (!type.is_empty)
      axes.push_back(a);
    const int expected = halved == a ? space.points[a] / 2 + 1 : space.points[a];
    if (waves.points[a] != expected)
      throw Error(Error::invalid, "a spectrum of " + std::to_string(space.points[a]) +
                                      " points along axis " + std::to_string(a) + " has " +
                                      std::to_string(expected) + ", and not " +
                                      std::to_string(waves.points[a]));
  }
  if (halved >= 0) axes.push_back(halved);  // weft halves the last Fourier axis of the list
  problem.axes = axes;
  problem.input = distribution_of(space);
  problem.output = distribution_of(waves);
  return problem;
}

template <class Real>
void derive(const weft_p3dfft3_side& side, const void* in, void* out, int axis, int points,
            bool is_halved) {
  std::int64_t strides[3];
  for (int a = 0; a < 3; ++a) {
    strides[a] = 1;
    for (int other = 0; other < 3; ++other)
      if (side.order[other] < side.order[a]) strides[a] *= side.size[other];
  }
  const auto* from = static_cast<const std::complex<Real>*>(in);
  auto* to = static_cast<std::complex<Real>*>(out);
  for (int i = 0; i < side.size[0]; ++i)
    for (int j = 0; j < side.size[1]; ++j)
      for (int k = 0; k < side.size[2]; ++k) {
        const int at[3] = {i, j, k};
        int wave = side.start[axis] + at[axis];
        if (!is_halved && 2 * wave > points) wave -= points;
        if (2 * wave == points || 2 * wave == -points)
          wave = 0;  // it alternates from point to point, and has no derivative there
        const std::int64_t place = i * strides[0] + j * strides[1] + k * strides[2];
        to[place] = from[place] * std::complex<Real>(0, static_cast<Real>(wave));
      }
}

}  // namespace

void weft_p3dfft3_part(int points, int parts, int i, int* start, int* size) {
  const int small = parts - points % parts;  // parts before those that have one point more
  *start = i * (points / parts) + std::max(0, i - small);
  *size = points / parts + (i >= small ? 1 : 0);
}

void* weft_p3dfft3_plan(const weft_p3dfft3_side* in, const weft_p3dfft3_side* out,
                        const int types[3], int is_in_complex, int is_out_complex, int is_single) {
  auto planned = std::make_unique<Planned>();
  or_end(in->comm, [&] {
    const Wanted wanted{*in,
                        *out,
                        {type_of(types[0]), type_of(types[1]), type_of(types[2])},
                        is_in_complex != 0,
                        is_out_complex != 0,
                        is_single != 0};
    check(wanted);
    planned->is_backward = has(wanted.types, "C2RFFT") || has(wanted.types, "CFFT_BACKWARD");
    weft::Options options;
    options.effort = weft::Effort::estimate;
    options.arrays = weft::Arrays::any;
    planned->plan =
        std::make_unique<AnyPlan>(in->comm, problem_of(wanted, planned->is_backward), options);
    const std::int64_t real = is_single != 0 ? 4 : 8;
    const auto volume = [](const weft_p3dfft3_side& side) {
      return std::int64_t{side.size[0]} * side.size[1] * side.size[2];
    };
    planned->from_bytes = volume(*in) * real * (is_in_complex != 0 ? 2 : 1);
    planned->to_bytes = volume(*out) * real * (is_out_complex != 0 ? 2 : 1);
  });
  return planned.release();
}

void weft_p3dfft3_run(void* plan, const void* in, void* out) {
  auto& of_weft = *static_cast<Planned*>(plan);
  or_end(of_weft.plan->comm(), [&] {
    const auto* from = static_cast<const std::byte*>(in);
    auto* to = static_cast<std::byte*>(out);
    // Other ranks need not know whether this one has both in the same memory.
    std::vector<std::byte> copy;
    if (from < to + of_weft.to_bytes && to < from + of_weft.from_bytes) {
      copy.assign(from, from + of_weft.from_bytes);
      from = copy.data();
    }
    const void* const source = from;
    if (of_weft.is_backward)
      of_weft.plan->backward(source, out);
    else
      of_weft.plan->forward(source, out);
  });
}

void weft_p3dfft3_free(void* plan) { delete static_cast<Planned*>(plan); }

void weft_p3dfft3_derive(const weft_p3dfft3_side* side, const void* in, void* out, int axis,
                         int points, int is_halved, int is_single) {
  if (axis < 0 || axis > 2) end_program(side->comm, "a derivative is along axis 0, 1 or 2");
  if (is_single != 0)
    derive<float>(*side, in, out, axis, points, is_halved != 0);
  else
    derive<double>(*side, in, out, axis, points, is_halved != 0);
}

void weft_p3dfft3_refuse(const char* why) { end_program(MPI_COMM_WORLD, why); }
