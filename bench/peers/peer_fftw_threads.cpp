// bench/peers/peer_fftw_threads: FFTW in one process with threads, without messages.
#include "fftw.hpp"

template <class Real>
class FftwThreads : public peer::WholeField<Real> {
  using F = peer::Fftw<Real>;
  using peer::WholeField<Real>::problem_;
  using peer::WholeField<Real>::out_;
  using peer::WholeField<Real>::input;

 public:
  static constexpr const char* name = "fftw-threads";

  FftwThreads(const peer::Problem& problem, const peer::Processes&)
      : peer::WholeField<Real>(problem), plan_(measured()) {}

  void forward() { plan_.execute(); }

 private:
  typename F::Plan measured() const {
    F::init_threads();
    F::plan_with_nthreads(problem_.threads);
    if (!problem_.wisdom.empty()) F::import_wisdom(problem_.wisdom.c_str());
    const std::vector<int> n(problem_.extents.begin(), problem_.extents.end());
    auto* out = reinterpret_cast<typename F::Complex*>(out_.data());
    auto plan = problem_.real
                    ? F::plan_dft_r2c(problem_.axes(), n.data(), reinterpret_cast<Real*>(input()),
                                      out, peer::fftw_effort)
                    : F::plan_dft(problem_.axes(), n.data(),
                                  reinterpret_cast<typename F::Complex*>(input()), out,
                                  FFTW_FORWARD, peer::fftw_effort);
    if (!problem_.wisdom.empty()) F::export_wisdom(problem_.wisdom.c_str());
    return plan;
  }

  peer::FftwPlan<Real> plan_;
};

int main(int argc, char** argv) { return peer::main_of<FftwThreads>(argc, argv); }
