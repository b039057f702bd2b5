// support/check_plan: see the header.
#include "support/check_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "support/direct_basis.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft::test {

namespace {

// Whether the bytes of an array with guards that are no points of `share` are those of `before`.
bool ghosts_are_intact(const Share& share, std::int64_t batch, std::size_t guard,
                       const std::vector<std::byte>& before, std::vector<std::byte> now) {
  const auto bytes = static_cast<std::size_t>(share.scalar.bytes());
  for_each_point(share, batch, [&](std::int64_t, const Dims&, std::int64_t e) {
    const std::size_t at = guard + static_cast<std::size_t>(e) * bytes;
    std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(at), bytes,
                now.begin() + static_cast<std::ptrdiff_t>(at));
  });
  return now == before;
}

// Started, and taken further item by item, with a rest of up to 200 microseconds after some: a
// generator of its own on every rank.
void run_with_delays(Ticket ticket, Dice& delays) {
  while (!ticket.test())
    if (delays.chance(30)) usleep(static_cast<unsigned>(delays.between(0, 200)));
}

}  // namespace

Wide value_at(const WholeField& field, Dims at) {
  for (int a = 0; a < at.size(); ++a)
    if (at[a] < 0) at[a] += field.extents[a];
  return field[at];
}

std::optional<std::string> check_plan(AnyPlan& plan, const Reference& reference,
                                      std::vector<std::byte>* bits, RunsOf runs) {
  const Problem& problem = plan.problem();
  const bool scales = !problem.axes.empty();
  const double scale = scales ? runs.scale : 1, scale_back = scales ? runs.scale_back : 1;
  const bool to_real = problem.kind == Kind::c2r;
  const auto& start = to_real ? reference.spectrum : reference.space;
  const bool is_pruned = !reference.space_again.empty();
  const auto& goal = !to_real    ? reference.spectrum
                     : is_pruned ? reference.space_again
                                 : reference.space;
  const auto& end = !is_pruned ? start : to_real ? reference.spectrum_again : reference.space_again;
  double points = 1;
  for (int axis : problem.axes) {
    const Basis basis = basis_of(problem, axis);
    const std::int64_t n = problem.extents[axis];
    if (basis == Basis::fourier)
      points *= static_cast<double>(n);
    else if (!is_chebyshev(basis))
      points *= static_cast<double>(round_trip(basis, static_cast<std::size_t>(n)));
  }
  // Norm::none returns from a round trip with a factor of N: the way back carries it.
  const bool has_gain = problem.norm == Norm::none && !is_pruned;
  const long double gain = has_gain ? static_cast<long double>(points) : 1;
  const long double forward_gain = to_real ? gain : 1, backward_gain = to_real ? 1 : gain;
  // Round-off grows with log2 N; c = 12 holds with room for both engines and all sizes.
  const long double epsilon =
      problem.precision == Precision::single_precision ? 0x1.0p-23L : 0x1.0p-52L;
  const long double tolerance = 12 * epsilon * (2 + std::log2(static_cast<long double>(points)));

  const bool in_one_array = problem.in_place && !runs.in_two_arrays;
  const Share &in = plan.input(), &out = plan.output();
  GuardedArray from(plan, runs.arrays, in.elements * in.scalar.bytes());
  GuardedArray separate(plan, runs.arrays, in_one_array ? 0 : out.elements * out.scalar.bytes());
  GuardedArray& to = in_one_array ? from : separate;
  std::optional<std::string> failure;
  const auto compare = [&](const Share& share, GuardedArray& array,
                           const std::vector<WholeField>& expected, long double factor,
                           const char* way) {
    const bool in_space = (&share == &in) != to_real;
    long double most = in_space ? reference.largest_space : reference.largest_spectrum;
    for (const WholeField& field : expected) most = std::max(most, largest(field));
    const long double allowed = tolerance * most * std::abs(factor);
    for_each_point(share, problem.batch, [&](std::int64_t f, const Dims& at, std::int64_t e) {
      if (failure) return;
      const Wide want = value_at(expected[static_cast<std::size_t>(f)], at) * factor;
      const Wide got = get(array.data(), share.scalar, e);
      if (!(std::abs(got - want) <= allowed))
        failure =
            fmt::format("{} at field {} point {}: got {}{:+}i, expected {}{:+}i, tolerance {}", way,
                        f, to_string(at), static_cast<double>(got.real()),
                        static_cast<double>(got.imag()), static_cast<double>(want.real()),
                        static_cast<double>(want.imag()), static_cast<double>(allowed));
    });
  };

  for_each_point(in, problem.batch, [&](std::int64_t f, const Dims& at, std::int64_t e) {
    put(from.data(), in.scalar, e, value_at(start[static_cast<std::size_t>(f)], at));
  });
  const bool has_ghosts = problem.input.storage.has_ghosts() ||
                          problem.output.storage.has_ghosts() || problem.input.has_arrays() ||
                          problem.output.has_arrays();
  const auto require_ghosts = [&](const Share& share, const GuardedArray& array,
                                  const std::vector<std::byte>& was, const char* way) {
    if (has_ghosts &&
        !ghosts_are_intact(share, problem.batch, GuardedArray::guard, was, array.bytes()))
      failure = fmt::format("{} changed ghost points", way);
  };
  const auto before = from.bytes(), target_before = to.bytes();
  if (runs.delays != nullptr)
    run_with_delays(plan.start_forward(from.data(), to.data(), scale), *runs.delays);
  else
    plan.forward(from.data(), to.data(), scale);
  if (!in_one_array && from.bytes() != before) failure = "forward changed its input";
  require_ghosts(out, to, target_before, "forward");
  compare(out, to, goal, forward_gain * scale, "forward");
  if (bits != nullptr)
    for_each_point(out, problem.batch, [&](std::int64_t, const Dims&, std::int64_t e) {
      const std::byte* value = to.data() + e * out.scalar.bytes();
      bits->insert(bits->end(), value, value + out.scalar.bytes());
    });

  const auto spectrum = to.bytes();
  if (!in_one_array)
    std::memset(from.data(), 0x7f, static_cast<std::size_t>(in.elements * in.scalar.bytes()));
  const auto source_before = from.bytes();
  if (runs.delays != nullptr)
    run_with_delays(plan.start_backward(to.data(), from.data(), scale_back), *runs.delays);
  else
    plan.backward(to.data(), from.data(), scale_back);
  if (!in_one_array && to.bytes() != spectrum) failure = "backward changed its input";
  require_ghosts(in, from, source_before, "backward");
  compare(in, from, end, forward_gain * backward_gain * scale * scale_back, "backward");
  if (!from.intact() || !separate.intact()) failure = "memory around the arrays was written";
  return failure;
}

}  // namespace weft::test
