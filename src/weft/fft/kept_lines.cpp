// fft/kept_lines: gathers lines, and scatters them.

#include "weft/fft/kept_lines.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t most_lines = 32;
constexpr std::size_t cache_line = 64;
// What a row of the lines in a buffer takes: two cache lines, as in the tiles.
constexpr std::int64_t row_bytes = 128;
// The most that one of the buffers takes, unless a single line takes more: for columns, of which
// rows should be whole, half of a level-2 cache of 1 MiB, and for lines so little that both buffers
// and the lines fit a level-1 cache of 32 KiB. Choices.
constexpr std::int64_t most_column_bytes = 512 * 1024, most_line_bytes = 8 * 1024;
// Contiguous lines of this length and longer are transformed one by one, on either side without a
// buffer if all of their points are stored. A call of FFTW takes little of their time.
constexpr std::int64_t least_direct_bytes = 2 * 1024;

struct AlignedDelete {
  void operator()(std::byte* memory) const {
    ::operator delete[](memory, std::align_val_t(cache_line));
  }
};

// Zeros, aligned to a cache line.
class Buffer {
 public:
  explicit Buffer(std::int64_t bytes)
      : bytes_(static_cast<std::size_t>(bytes)),
        memory_(static_cast<std::byte*>(::operator new[](bytes_, std::align_val_t(cache_line)))) {
    clear();
  }
  std::byte* data() const { return memory_.get(); }
  void clear() { std::memset(memory_.get(), 0, bytes_); }

 private:
  std::size_t bytes_;
  std::unique_ptr<std::byte[], AlignedDelete> memory_;
};

// One side of the lines: which of the points of a line are outside of the buffer, and how far they
// are apart, outside and in the buffer. In elements.
struct Side {
  KeptPoints kept;
  std::int64_t points;      // of a line in the buffer
  std::int64_t stride;      // from point to point, outside
  std::int64_t own_stride;  // the same in the buffer
  std::int64_t own_step;    // from line to line in the buffer

  // As the lines are outside: line by line if their points are adjacent, else as columns.
  static Side of(const KeptPoints& kept, std::int64_t points, std::int64_t stride,
                 std::int64_t lines) {
    if (stride == 1) return {kept, points, stride, 1, points};
    return {kept, points, stride, lines, 1};
  }
};

// Where the first points of some lines are, in elements.
using Offsets = std::array<std::int64_t, most_lines>;

bool are_adjacent(const Offsets& offsets, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i)
    if (offsets[i] != offsets[0] + static_cast<std::int64_t>(i)) return false;
  return true;
}

// Calls copy(outside, own, elements) for runs that are contiguous on both sides; the two are
// addresses in elements.
template <class Copy>
void for_each_run(const Side& side, const Offsets& offsets, std::size_t count, const Copy& copy) {
  const std::int64_t head = side.kept.count - side.kept.tail;
  if (side.stride == 1 && side.own_stride == 1) {
    for (std::size_t line = 0; line < count; ++line) {
      const std::int64_t own = static_cast<std::int64_t>(line) * side.own_step;
      copy(offsets[line], own + side.kept.first, head);
      copy(offsets[line] + head, own + side.points - side.kept.tail, side.kept.tail);
    }
    return;
  }
  const bool adjacent = side.own_step == 1 && are_adjacent(offsets, count);
  for (std::int64_t i = 0; i < side.kept.count; ++i) {
    const std::int64_t own = side.kept.position(i, side.points) * side.own_stride;
    if (adjacent) {
      copy(offsets[0] + i * side.stride, own, static_cast<std::int64_t>(count));
      continue;
    }
    for (std::size_t line = 0; line < count; ++line)
      copy(offsets[line] + i * side.stride, own + static_cast<std::int64_t>(line) * side.own_step,
           1);
  }
}

// How lines are gathered and scattered: so many at a time, and without a buffer on the sides that
// are direct, where all points of contiguous lines are outside.
struct Gathering {
  Side from, to;
  bool in_is_direct, out_is_direct;
  std::int64_t at_once;
};

// Elements of `In` and `Out` bytes.
template <std::size_t In, std::size_t Out>
class KeptLines : public Kernel {
 public:
  // From `in` to `out` where they are direct.
  KeptLines(Engine& engine, const Lines& lines, const Gathering& by, void* in, void* out,
            Effort effort)
      : by_(by),
        at_once_(static_cast<std::size_t>(by.at_once)),
        loops_(lines.loops),
        clears_(!by.in_is_direct && (lines.kind == LineKind::c2r || lines.kind == LineKind::r2r)),
        in_(by.in_is_direct ? 0 : by.from.points * by.at_once * static_cast<std::int64_t>(In)),
        out_(by.out_is_direct ? 0 : by.to.points * by.at_once * static_cast<std::int64_t>(Out)) {
    Lines inner = lines;
    inner.kept.reset();
    inner.in_stride = by.from.own_stride;
    inner.out_stride = by.to.own_stride;
    inner.loops = {{by.at_once, by.from.own_step, by.to.own_step}};
    kernel_ = engine.make(inner, by.in_is_direct ? in : in_.data(),
                          by.out_is_direct ? out : out_.data(), effort);
    in_.clear();  // making a kernel may write to it
  }

  void run(void* in, void* out, PrefetchQueue& queue) override {
    Batch batch{{}, {}, 0, static_cast<const std::byte*>(in), static_cast<std::byte*>(out), queue};
    visit(0, 0, 0, batch);
    if (batch.count > 0) transform(batch);
  }
  bool suits(const void* /*in*/, const void* /*out*/) const override { return false; }

 private:
  // Lines that wait to be transformed together.
  struct Batch {
    Offsets in, out;
    std::size_t count;
    const std::byte* from;
    std::byte* to;
    PrefetchQueue& queue;
  };

  void visit(std::size_t level, std::int64_t in, std::int64_t out, Batch& batch) {
    if (level == loops_.size()) {
      batch.in[batch.count] = in;
      batch.out[batch.count] = out;
      if (++batch.count == at_once_) transform(batch);
      return;
    }
    const Lines::Loop& loop = loops_[level];
    for (std::int64_t i = 0; i < loop.count; ++i)
      visit(level + 1, in + i * loop.in_stride, out + i * loop.out_stride, batch);
  }

  void transform(Batch& batch) {
    if (clears_) in_.clear();  // such kernels destroy their input
    const std::byte* in = in_.data();
    std::byte* out = out_.data();
    if (by_.in_is_direct)
      in = batch.from + batch.in[0] * std::int64_t{In};
    else
      for_each_run(by_.from, batch.in, batch.count,
                   [&](std::int64_t outside, std::int64_t own, std::int64_t elements) {
                     copy<In>(in_.data() + own * std::int64_t{In},
                              batch.from + outside * std::int64_t{In}, elements);
                   });
    if (by_.out_is_direct) out = batch.to + batch.out[0] * std::int64_t{Out};
    // As many cache lines as the lines take.
    batch.queue.prefetch(by_.from.points *
                         static_cast<std::int64_t>(batch.count * In / cache_line));
    kernel_->run(const_cast<std::byte*>(in), out, batch.queue);
    if (!by_.out_is_direct)
      for_each_run(by_.to, batch.out, batch.count,
                   [&](std::int64_t outside, std::int64_t own, std::int64_t elements) {
                     copy<Out>(batch.to + outside * std::int64_t{Out},
                               out_.data() + own * std::int64_t{Out}, elements);
                   });
    batch.count = 0;
  }

  // Element by element, as runs are short.
  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from, std::int64_t elements) {
    if (elements * std::int64_t{Bytes} >= row_bytes) {
      std::memcpy(to, from, static_cast<std::size_t>(elements) * Bytes);
      return;
    }
    for (std::int64_t i = 0; i < elements; ++i, to += Bytes, from += Bytes)
      std::memcpy(to, from, Bytes);
  }

  Gathering by_;
  std::size_t at_once_;
  std::vector<Lines::Loop> loops_;
  bool clears_;
  Buffer in_, out_;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace

std::unique_ptr<Kernel> make_kernel(Engine& engine, const Lines& lines, void* in, void* out,
                                    Effort effort) {
  if (!lines.kept) return engine.make(lines, in, out, effort);
  if (auto kernel = engine.make_own(lines)) return kernel;
  const std::int64_t real = lines.precision == Precision::single_precision ? 4 : 8;
  const bool from_real = lines.kind == LineKind::r2c || lines.kind == LineKind::r2r;
  const bool to_real = lines.kind == LineKind::c2r || lines.kind == LineKind::r2r;
  const std::int64_t in_points = lines.kind == LineKind::c2r ? lines.n / 2 + 1 : lines.n;
  const std::int64_t out_points = lines.kind == LineKind::r2c ? lines.n / 2 + 1 : lines.n;
  const std::int64_t widest = lines.kind == LineKind::r2r ? real : 2 * real;
  std::int64_t at_once = row_bytes / widest;
  const bool by_lines = lines.in_stride == 1 && lines.out_stride == 1;
  const std::int64_t most_bytes = by_lines ? most_line_bytes : most_column_bytes;
  while (at_once > 1 && at_once * lines.n * widest > most_bytes) at_once /= 2;
  const bool line_by_line = by_lines && lines.n * widest >= least_direct_bytes;
  if (line_by_line) at_once = 1;
  const Side from = Side::of(lines.kept->in, in_points, lines.in_stride, at_once);
  const Side to = Side::of(lines.kept->out, out_points, lines.out_stride, at_once);
  // FFTW may compute lines of another alignment by other steps, with other last bits.
  const auto is_aligned = [&](const void* first, auto stride, std::int64_t bytes) {
    return reinterpret_cast<std::uintptr_t>(first) % cache_line == 0 &&
           std::all_of(lines.loops.begin(), lines.loops.end(), [&](const Lines::Loop& loop) {
             return loop.*stride * bytes % static_cast<std::int64_t>(cache_line) == 0;
           });
  };
  const auto made = [&]<std::size_t In, std::size_t Out>() -> std::unique_ptr<Kernel> {
    Gathering by{from, to, false, false, at_once};
    by.in_is_direct =
        line_by_line && from.kept.count == in_points && is_aligned(in, &Lines::Loop::in_stride, In);
    by.out_is_direct = line_by_line && to.kept.count == out_points &&
                       is_aligned(out, &Lines::Loop::out_stride, Out);
    return std::make_unique<KeptLines<In, Out>>(engine, lines, by, in, out, effort);
  };
  if (real == 4)
    return from_real
               ? (to_real ? made.template operator()<4, 4>() : made.template operator()<4, 8>())
               : (to_real ? made.template operator()<8, 4>() : made.template operator()<8, 8>());
  return from_real
             ? (to_real ? made.template operator()<8, 8>() : made.template operator()<8, 16>())
             : (to_real ? made.template operator()<16, 8>() : made.template operator()<16, 16>());
}

}  // namespace weft
