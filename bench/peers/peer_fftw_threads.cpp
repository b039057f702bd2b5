// bench/peers/peer_fftw_threads: FFTW in one process with threads, without messages.
#include "fftw.hpp"

template <class Real>
class FftwThreads {
  using F = peer::Fftw<Real>;
  using Complex = std::complex<Real>;

 public:
  static constexpr const char* name = "fftw-threads";

  FftwThreads(const peer::Problem& problem, const peer::Processes&)
      : problem_(problem),
        points_(
            peer::natural_slab(problem.extents, 0, problem.extents[0],
                               problem.in_place ? problem.padded_row() : problem.extents.back())),
        spectrum_(peer::natural_slab(problem.spectrum(), 0, problem.extents[0],
                                     problem.spectrum().back())),
        out_(peer::volume(problem.spectrum())),
        in_(problem.in_place ? 1 : peer::volume(problem.extents)),
        plan_(measured()) {}

  void fill() { peer::fill_input(input(), problem_, points_); }
  void forward() { plan_.execute(); }
  auto find(const peer::Index& k) const { return peer::find_in(out_.data(), spectrum_, k); }
  const char* output() const { return "natural"; }

 private:
  Complex* input() const { return problem_.in_place ? out_.data() : in_.data(); }

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

  peer::Problem problem_;
  peer::Slab points_, spectrum_;
  peer::Field<Complex> out_, in_;
  peer::FftwPlan<Real> plan_;
};

int main(int argc, char** argv) { return peer::main_of<FftwThreads>(argc, argv); }
