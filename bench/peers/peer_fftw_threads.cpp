// bench/peers/peer_fftw_threads: FFTW in one process with threads, without messages.
#include "fftw.hpp"

template <class Real>
class FftwThreads : public peer::WholeField<Real> {
  using F = peer::Fftw<Real>;
  using peer::WholeField<Real>::problem_;
  using peer::WholeField<Real>::points_;
  using peer::WholeField<Real>::spectrum_;
  using peer::WholeField<Real>::out_;
  using peer::WholeField<Real>::input;
  using peer::WholeField<Real>::points_distance;

 public:
  static constexpr const char* name = "fftw-threads";
  static std::string version() { return peer::fftw_library_version(); }

  FftwThreads(const peer::Problem& problem, const peer::Processes&)
      : peer::WholeField<Real>(problem), plan_(measured()) {}

  void forward() { plan_.execute(); }

 private:
  typename F::Plan measured() const {
    F::init_threads();
    F::plan_with_nthreads(problem_.threads);
    if (!problem_.wisdom.empty()) F::import_wisdom(problem_.wisdom.c_str());
    const std::vector<int> n = whole(problem_.extents);
    const std::vector<int> points = whole(points_.stored), spectrum = whole(spectrum_.stored);
    const int fields = whole(problem_.batch);
    const int from = whole(points_distance()), to = whole(out_.distance());
    auto* out = reinterpret_cast<typename F::Complex*>(out_[0]);
    auto plan =
        problem_.real
            ? F::plan_many_dft_r2c(problem_.axes(), n.data(), fields,
                                   reinterpret_cast<Real*>(input()), points.data(), 1, from, out,
                                   spectrum.data(), 1, to, peer::fftw_effort)
            : F::plan_many_dft(problem_.axes(), n.data(), fields,
                               reinterpret_cast<typename F::Complex*>(input()), points.data(), 1,
                               from, out, spectrum.data(), 1, to, FFTW_FORWARD, peer::fftw_effort);
    if (!problem_.wisdom.empty()) F::export_wisdom(problem_.wisdom.c_str());
    return plan;
  }

  /// Sizes as FFTW's interface takes them.
  static int whole(std::int64_t n) {
    if (n > std::numeric_limits<int>::max())
      throw peer::Unsupported("FFTW takes sizes below 2^31, not " + std::to_string(n) +
                              "; try a smaller --size");
    return static_cast<int>(n);
  }
  static std::vector<int> whole(const peer::Index& n) {
    std::vector<int> sizes;
    for (auto e : n) sizes.push_back(whole(e));
    return sizes;
  }

  peer::FftwPlan<Real> plan_;
};

int main(int argc, char** argv) { return peer::main_of<FftwThreads>(argc, argv); }
