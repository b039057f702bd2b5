// bench/peers/copy_bandwidth: measures a plain threaded copy of all fields, the unit of the floor
// of `./dev compare`. Each thread copies its own contiguous part, first with memcpy, then with
// streaming stores, which do not read the target first as ordinary stores do; the faster of the two
// counts.
#include <barrier>
#include <cstddef>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "peer.hpp"

namespace {

constexpr std::int64_t line = 64;  // bytes; parts begin on cache lines

void copy_plainly(std::byte* to, const std::byte* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

#ifdef __SSE2__
void copy_streaming(std::byte* to, const std::byte* from, std::int64_t bytes) {
  auto* target = reinterpret_cast<__m128i*>(to);
  const auto* source = reinterpret_cast<const __m128i*>(from);
  for (std::int64_t i = 0; i < bytes / 16; i += 4) {
    const __m128i a = _mm_load_si128(source + i), b = _mm_load_si128(source + i + 1);
    const __m128i c = _mm_load_si128(source + i + 2), d = _mm_load_si128(source + i + 3);
    _mm_stream_si128(target + i, a);
    _mm_stream_si128(target + i + 1, b);
    _mm_stream_si128(target + i + 2, c);
    _mm_stream_si128(target + i + 3, d);
  }
  _mm_sfence();
}
#endif

/// The best of `repeat` copies of `bytes` bytes by `threads` threads.
template <class Copy>
double best(Copy copy, std::byte* to, const std::byte* from, std::int64_t bytes, int threads,
            int repeat) {
  double least = 1e300;
  std::barrier together(threads);
  auto work = [&](int t) {
    const std::int64_t lines = bytes / line;
    const std::int64_t begin = lines * t / threads * line, end = lines * (t + 1) / threads * line;
    for (int i = 0; i < repeat; ++i) {
      together.arrive_and_wait();
      const double start = peer::now();
      copy(to + begin, from + begin, end - begin);
      together.arrive_and_wait();
      if (t == 0) least = std::min(least, peer::now() - start);
    }
  };
  std::vector<std::jthread> team;
  for (int t = 1; t < threads; ++t) team.emplace_back(work, t);
  work(0);
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const peer::Problem problem = peer::parse(argc, argv);
    const std::int64_t scalar = (problem.single ? 4 : 8) * (problem.real ? 1 : 2);
    const std::int64_t points = problem.batch * peer::volume(problem.extents);
    const std::int64_t bytes = (points * scalar + line - 1) / line * line;
    const peer::Field<std::byte> from(bytes), to(bytes);
    // Each thread touches its own part first, so that it is in the memory of the thread's socket.
    peer::in_parallel(problem.threads, bytes / line, [&](std::int64_t begin, std::int64_t end) {
      std::memset(from.data() + begin * line, 1, static_cast<std::size_t>((end - begin) * line));
      std::memset(to.data() + begin * line, 2, static_cast<std::size_t>((end - begin) * line));
    });
    const int repeat = std::max(5, problem.warmup + problem.inner);
    const double plain = best(copy_plainly, to.data(), from.data(), bytes, problem.threads, repeat);
    double streaming = plain;
#ifdef __SSE2__
    streaming = best(copy_streaming, to.data(), from.data(), bytes, problem.threads, repeat);
#endif
    if (std::memcmp(to.data(), from.data(), static_cast<std::size_t>(bytes)) != 0)
      throw std::logic_error("the copy differs from its source");
    std::printf(
        "{\"peer\": \"copy\", \"bytes\": %lld, \"threads\": %d, \"memcpy_seconds\": %.9g, "
        "\"streaming_seconds\": %.9g, \"copy_seconds\": %.9g}\n",
        static_cast<long long>(bytes), problem.threads, plain, streaming,
        std::min(plain, streaming));
    return 0;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "copy_bandwidth: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "copy_bandwidth: %s\n", error.what());
    return 1;
  }
}
