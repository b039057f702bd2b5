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
#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <charconv>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace peer {

using Index = std::vector<std::int64_t>;

/// The library does not support this problem. Thrown on every rank; the text says what it supports.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// ----------------------------------------------------------------------------------------------------
// the problem

struct Problem {
  Index extents;           // of one field, 1 to 4 axes
  std::int64_t batch = 1;  // fields that are transformed together
  bool real = false;       // r2c: the last axis of the spectrum has n/2+1 points
  bool single = false;
  bool free_output = false;  // --output free: the spectrum may stay where the library leaves it
  bool in_place = false;
  int threads = 1;
  int inner = 3;
  int warmup = 1;
  std::string wisdom;

  int axes() const { return static_cast<int>(extents.size()); }
  Index spectrum() const {
    Index n = extents;
    if (real) n.back() = n.back() / 2 + 1;
    return n;
  }
  /// Elements between the starts of two rows of an input that has room for its own spectrum.
  std::int64_t padded_row() const { return real ? 2 * spectrum().back() : extents.back(); }
};

inline std::int64_t volume(const Index& n) {
  std::int64_t v = 1;
  for (auto e : n) v *= e;
  return v;
}

inline std::int64_t whole_number(std::string_view option, std::string_view text,
                                 std::int64_t least) {
  std::int64_t n = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < least)
    throw std::invalid_argument(std::string(option) + " takes a whole number of at least " +
                                std::to_string(least) + ", not '" + std::string(text) + "'");
  return n;
}

inline Index parse_extents(std::string_view text) {
  Index n;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('x', from), text.size());
    n.push_back(whole_number("--size", text.substr(from, to - from), 1));
    from = to + 1;
  }
  if (n.size() > 4)
    throw std::invalid_argument("--size takes 1 to 4 axes, not " + std::to_string(n.size()) +
                                "; try 256x256x256");
  return n;
}

inline Problem parse(int argc, char** argv) {
  static constexpr const char* usage =
      "--size AxBxC [--batch N] [--kind c2c|r2c] [--precision double|single] [--threads T]\n"
      "  [--output same|free] [--in-place] [--inner K] [--warmup W] [--wisdom FILE]";
  Problem problem;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--help") throw std::invalid_argument(usage);
    if (option == "--in-place") {
      problem.in_place = true;
      continue;
    }
    if (i + 1 == argc)
      throw std::invalid_argument("'" + std::string(option) +
                                  "' is unknown or lacks its value; options are\n  " + usage);
    const std::string_view value = argv[++i];
    auto one_of = [&](std::string_view no, std::string_view yes) {
      if (value != no && value != yes)
        throw std::invalid_argument(std::string(option) + " is " + std::string(no) + " or " +
                                    std::string(yes) + ", not '" + std::string(value) + "'");
      return value == yes;
    };
    if (option == "--size")
      problem.extents = parse_extents(value);
    else if (option == "--batch")
      problem.batch = whole_number(option, value, 1);
    else if (option == "--kind")
      problem.real = one_of("c2c", "r2c");
    else if (option == "--precision")
      problem.single = one_of("double", "single");
    else if (option == "--output")
      problem.free_output = one_of("same", "free");
    else if (option == "--threads")
      problem.threads = static_cast<int>(whole_number(option, value, 1));
    else if (option == "--inner")
      problem.inner = static_cast<int>(whole_number(option, value, 1));
    else if (option == "--warmup")
      problem.warmup = static_cast<int>(whole_number(option, value, 0));
    else if (option == "--wisdom")
      problem.wisdom = value;
    else
      throw std::invalid_argument("unknown option " + std::string(option) + "; options are\n  " +
                                  usage);
  }
  if (problem.extents.empty())
    throw std::invalid_argument("--size is missing; try --size 256x256x256");
  return problem;
}

// ------------------------------------------------------------------------------------------------------
// the field

/// A uniform number in [-0.5, 0.5) for every i: the finaliser of SplitMix64 (Steele, Lea, Flood,
/// OOPSLA 2014). Its 53 high bits make the double, so it is the same on every machine;
/// bench/peers/peer.py says it in NumPy.
inline double uniform(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53 - 0.5;
}

/// The field at the point with row-major index i: uniform(2i) + i*uniform(2i+1), or its real part.
/// A batch is one more axis, the slowest: its field number b begins at the index b * volume.
template <class T>
T value(std::int64_t i) {
  const auto at = static_cast<std::uint64_t>(i);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(uniform(2 * at));
  else
    return T(static_cast<typename T::value_type>(uniform(2 * at)),
             static_cast<typename T::value_type>(uniform(2 * at + 1)));
}

/// Four frequencies that a wrong axis order, sign or offset does not survive: zero, a low one that
/// differs on every axis, fractions of the extents, and the highest (on the last axis of r2c: the
/// middle).
inline std::vector<Index> check_frequencies(const Problem& problem) {
  const Index n = problem.extents;
  const Index spectrum = problem.spectrum();
  Index zero, low, part, high;
  for (std::size_t a = 0; a < n.size(); ++a) {
    const auto axis = static_cast<std::int64_t>(a);
    zero.push_back(0);
    low.push_back(std::min((axis + 1) % n[a], spectrum[a] - 1));
    part.push_back(n[a] / (axis + 2));
    high.push_back(spectrum[a] - 1);
  }
  return {zero, low, std::move(part), high};
}

/// Calls work(begin, end) on `threads` threads, each with its share of [0, count).
template <class Work>
void in_parallel(int threads, std::int64_t count, Work work) {
  std::vector<std::jthread> team;
  for (int t = 1; t < threads; ++t)
    team.emplace_back([=] { work(count * t / threads, count * (t + 1) / threads); });
  work(0, count / threads);
}

/// Memory for a field, the same for every peer, on huge pages where the system allows them.
template <class T>
class Field {
 public:
  Field() = default;
  explicit Field(std::int64_t count) : bytes_(bytes(count)), data_(allocate(bytes_)) {}
  Field(Field&& other) noexcept
      : bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr)) {}
  Field& operator=(Field&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Field() {
    if (data_) ::operator delete(data_, page);
  }
  T* data() const { return data_; }

 private:
  static constexpr std::align_val_t page{std::size_t{2} << 20};
  static std::size_t bytes(std::int64_t count) {
    return static_cast<std::size_t>(std::max<std::int64_t>(count, 1)) * sizeof(T);
  }
  static T* allocate(std::size_t size) {
    void* memory = ::operator new(size, page);
#ifdef MADV_HUGEPAGE
    madvise(memory, size, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  std::size_t bytes_ = 0;
  T* data_ = nullptr;
};

/// The fields of a batch that a rank holds, each from a cache line on, so that a plan that was made
/// for the first one may transform the others, too.
template <class T>
class Batch {
 public:
  Batch() = default;
  Batch(std::int64_t fields, std::int64_t elements)
      : distance_((elements + line - 1) / line * line), memory_(fields * distance_) {}
  T* operator[](std::int64_t member) const { return memory_.data() + member * distance_; }
  /// Elements from one field to the next.
  std::int64_t distance() const { return distance_; }

 private:
  static constexpr std::int64_t line = 64;  // elements; at least as many bytes
  std::int64_t distance_ = 0;
  Field<T> memory_;
};

/// How a rank holds its part of a field: axes in the order they are stored, slowest first; the
/// first one is cut into slabs. `stored` are the extents in that order, the last with its padding.
struct Slab {
  std::vector<int> order;
  Index stored;
  std::int64_t first = 0;
  std::int64_t count = 0;

  bool owns(const Index& at) const {
    const auto i = at[static_cast<std::size_t>(order[0])];
    return first <= i && i < first + count;
  }
  std::int64_t offset(const Index& at) const {
    std::int64_t o = 0;
    for (std::size_t s = 0; s < order.size(); ++s)
      o = o * stored[s] + at[static_cast<std::size_t>(order[s])] - (s == 0 ? first : 0);
    return o;
  }
};

/// The planes [first, first+count) of axis 0 in natural order, rows padded to `row` elements.
inline Slab natural_slab(const Index& n, std::int64_t first, std::int64_t count, std::int64_t row) {
  Slab slab{{}, n, first, count};
  for (std::size_t a = 0; a < n.size(); ++a) slab.order.push_back(static_cast<int>(a));
  slab.stored.back() = row;
  return slab;
}

/// The planes [first, first+count) of axis order[0], the axes stored in the order given, unpadded.
inline Slab transposed_slab(const Index& n, std::vector<int> order, std::int64_t first,
                            std::int64_t count) {
  Index stored;
  for (int axis : order) stored.push_back(n[static_cast<std::size_t>(axis)]);
  return {std::move(order), std::move(stored), first, count};
}

/// Writes field number `member` into a slab in natural order, with `threads` threads.
template <class T>
void fill(T* data, const Index& n, std::int64_t member, const Slab& slab, int threads) {
  const bool line = n.size() == 1;
  const std::int64_t row = line ? slab.count : n.back();
  std::int64_t rows_per_plane = 1;
  for (std::size_t a = 1; a + 1 < n.size(); ++a) rows_per_plane *= n[a];
  const std::int64_t rows = line ? 1 : slab.count * rows_per_plane;
  const std::int64_t from =
      member * volume(n) + (line ? slab.first : slab.first * rows_per_plane * row);
  in_parallel(threads, rows, [=, pitch = slab.stored.back()](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      for (std::int64_t i = 0; i < row; ++i) data[r * pitch + i] = value<T>(from + r * row + i);
  });
}

/// The same for the input of a problem: complex points, or real ones for r2c.
template <class Real>
void fill_input(std::complex<Real>* data, const Problem& problem, std::int64_t member,
                const Slab& slab) {
  if (problem.real)
    fill(reinterpret_cast<Real*>(data), problem.extents, member, slab, problem.threads);
  else
    fill(data, problem.extents, member, slab, problem.threads);
}

template <class Real>
std::optional<std::complex<double>> find_in(const std::complex<Real>* data, const Slab& slab,
                                            const Index& k) {
  if (!slab.owns(k)) return std::nullopt;
  const std::complex<Real> found = data[slab.offset(k)];
  return std::complex<double>(found.real(), found.imag());
}

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
