// bench/peers/peer: the common part of all programs that `./dev compare` runs.
// Keeps: all programs have the same field, clock and form of output, so that only the libraries
// differ.
//
// A peer is a class template over the real type with
// - static constexpr const char* name;
// - static std::string version(); of the library, as it says itself;
// - Peer(const Problem&, const Processes&); makes a plan, and throws Unsupported with the reason if
//   the library cannot do that;
// - void fill(); writes the fields of peer::value into the input;
// - void forward(); runs one forward transform of every field, without scaling;
// - std::optional<std::complex<double>> find(member, const Index& k); the spectrum of field number
//   `member` at k, on one rank only;
// - const char* output(); "natural" or "transposed";
// and peer::main_of<Peer>(argc, argv) is its whole main function.
//
// Each program prints one line of JSON from rank 0:
//     {"peer","version","ranks","threads","plan_seconds","times":[...],"output",
//      "check":[[member,k0,k1,k2,re,im],...]}
// A time is the slowest rank's, between barriers. `check` has the spectrum of every field of the
// batch at four frequencies, from a fresh input.
#pragma once

#ifdef PEER_MPI
#include <mpi.h>
#endif

#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "field.hpp"

namespace peer {

// --------------------------------------------------------------------------------------------------
// the processes

/// The processes of one run: MPI's world where PEER_MPI is defined, this one alone elsewhere.
class Processes {
 public:
#ifdef PEER_MPI
  Processes(int argc, char** argv) {
    int granted = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~Processes() { MPI_Finalize(); }
  void barrier() const { MPI_Barrier(MPI_COMM_WORLD); }
  double slowest(double seconds) const {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
  }
  void sum(double* values, int count) const {
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
#else
  Processes(int, char**) {}
  void barrier() const {}
  double slowest(double seconds) const { return seconds; }
  void sum(double*, int) const {}
#endif
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  int rank_ = 0;
  int size_ = 1;
};

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A number for JSON, in the spelling Python reads where it is not finite: a wrong spectrum must
/// arrive as one.
inline std::string number(double x) {
  if (x != x) return "NaN";
  if (x - x != 0) return x > 0 ? "Infinity" : "-Infinity";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

// --------------------------------------------------------------------------------------------------------
// the run

/// The list of "check": the spectrum of every field at the check frequencies. Collective.
template <class Peer>
std::string checked(const Problem& problem, const Processes& processes, const Peer& library) {
  const std::vector<Index> frequencies = check_frequencies(problem);
  std::vector<double> spectrum;
  for (std::int64_t member = 0; member < problem.batch; ++member)
    for (const Index& k : frequencies) {
      const auto found = library.find(member, k);
      spectrum.push_back(found ? found->real() : 0);
      spectrum.push_back(found ? found->imag() : 0);
      spectrum.push_back(found ? 1 : 0);
    }
  processes.sum(spectrum.data(), static_cast<int>(spectrum.size()));

  std::string check;
  for (std::size_t i = 0; 3 * i < spectrum.size(); ++i) {
    const std::size_t member = i / frequencies.size(), f = i % frequencies.size();
    if (spectrum[3 * i + 2] != 1)
      throw std::logic_error("the spectrum of field " + std::to_string(member) +
                             " at check frequency " + std::to_string(f) + " was found on " +
                             number(spectrum[3 * i + 2]) + " ranks instead of one");
    check += (i ? ", [" : "[") + std::to_string(member) + ", ";
    for (auto k : frequencies[f]) check += std::to_string(k) + ", ";
    check += number(spectrum[3 * i]) + ", " + number(spectrum[3 * i + 1]) + "]";
  }
  return check;
}

/// Plans, checks, times; returns the line of JSON. Collective.
template <class Peer>
std::string run(const Problem& problem, const Processes& processes) {
  const double start = now();
  Peer library(problem, processes);
  const double plan_seconds = processes.slowest(now() - start);

  library.fill();
  library.forward();
  const std::string check = checked(problem, processes, library);
  std::string times;
  for (int i = 0; i < problem.warmup + problem.inner; ++i) {
    library
        .fill();  // Transforms without scaling grow: a fresh field keeps single precision finite.
    processes.barrier();
    const double begin = now();
    library.forward();
    const double seconds = processes.slowest(now() - begin);
    if (i >= problem.warmup) times += (times.empty() ? "" : ", ") + number(seconds);
  }
  return std::string("{\"peer\": \"") + Peer::name + "\", \"version\": \"" + Peer::version() +
         "\", \"ranks\": " + std::to_string(processes.size()) +
         ", \"threads\": " + std::to_string(problem.threads) +
         ", \"plan_seconds\": " + number(plan_seconds) + ", \"times\": [" + times +
         "], \"output\": \"" + library.output() + "\", \"check\": [" + check + "]}";
}

/// The arrays of a peer that runs in one process: whole fields in natural order, one after another.
template <class Real>
class WholeField {
 public:
  explicit WholeField(const Problem& problem)
      : problem_(problem),
        points_(natural_slab(problem.extents, 0, problem.extents[0],
                             problem.in_place ? problem.padded_row() : problem.extents.back())),
        spectrum_(
            natural_slab(problem.spectrum(), 0, problem.extents[0], problem.spectrum().back())),
        out_(problem.batch, volume(problem.spectrum())),
        in_(problem.in_place ? 0 : problem.batch,
            problem.real ? (volume(problem.extents) + 1) / 2 : volume(problem.extents)) {}

  void fill() {
    for (std::int64_t member = 0; member < problem_.batch; ++member)
      fill_input(input(member), problem_, member, points_);
  }
  auto find(std::int64_t member, const Index& k) const {
    return find_in(out_[member], spectrum_, k);
  }
  const char* output() const { return "natural"; }

 protected:
  std::complex<Real>* input(std::int64_t member = 0) const {
    return problem_.in_place ? out_[member] : in_[member];
  }
  /// Points from one field to the next; they are real numbers for r2c.
  std::int64_t points_distance() const {
    return (problem_.real ? 2 : 1) * (problem_.in_place ? out_ : in_).distance();
  }

  Problem problem_;
  Slab points_, spectrum_;
  Batch<std::complex<Real>> out_, in_;
};

/// The main function of a peer. Returns 0, or prints a message and returns 2 if the peer does not
/// support the problem, and 1 if it failed.
template <template <class> class Peer>
int main_of(int argc, char** argv) {
  const Processes processes(argc, argv);
  auto report = [&](const char* what, int status) {
    if (processes.rank() == 0) std::fprintf(stderr, "%s: %s\n", Peer<double>::name, what);
    return status;
  };
  try {
    const Problem problem = parse(argc, argv);
    const std::string line = problem.single ? run<Peer<float>>(problem, processes)
                                            : run<Peer<double>>(problem, processes);
    if (processes.rank() == 0) std::printf("%s\n", line.c_str());
    return 0;
  } catch (const std::invalid_argument& error) {
    return report(error.what(), 2);
  } catch (const Unsupported& error) {
    return report(error.what(), 2);
  } catch (const std::exception& error) {
    return report(error.what(), 1);
  }
}

}  // namespace peer
