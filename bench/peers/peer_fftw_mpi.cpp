// bench/peers/peer_fftw_mpi: FFTW's own MPI transforms over slabs; --output free leaves the
// spectrum transposed. Its batches are interleaved, so one plan transforms separate fields one
// after another.
#include <numeric>

#include "fftw.hpp"

template <class Real>
class FftwMpi {
  using F = peer::Fftw<Real>;
  using Complex = std::complex<Real>;

 public:
  static constexpr const char* name = "fftw-mpi";
  static std::string version() { return peer::fftw_library_version(); }

  FftwMpi(const peer::Problem& problem, const peer::Processes& processes)
      : FftwMpi(problem, processes, cut(problem)) {}

  void fill() {
    for (std::int64_t member = 0; member < problem_.batch; ++member)
      peer::fill_input(input(member), problem_, member, points_);
  }
  void forward() {
    for (std::int64_t member = 0; member < problem_.batch; ++member)
      plan_.execute(problem_.real, input(member), out_[member]);
  }
  auto find(std::int64_t member, const peer::Index& k) const {
    return peer::find_in(out_[member], spectrum_, k);
  }
  const char* output() const { return problem_.free_output ? "transposed" : "natural"; }

 private:
  /// The planes of axis 0 of the points, and the planes of the first stored axis of the spectrum
  /// where it is transposed or a line.
  struct Cut {
    std::ptrdiff_t elements, count, first, spectrum_count, spectrum_first;
  };

  static Cut cut(const peer::Problem& problem) {
    const bool line = problem.axes() == 1;
    if (line && problem.real)
      throw peer::Unsupported("FFTW's MPI library has no r2c of one axis; try --kind c2c");
    if (line && problem.free_output)
      throw peer::Unsupported(
          "FFTW does not document the order in which it scrambles the spectrum of one axis; try "
          "--output same");
    if (!line && problem.free_output && (problem.extents[0] == 1 || problem.extents[1] == 1))
      throw peer::Unsupported(
          "FFTW drops an axis of one point and then transposes the axes after it; try --output "
          "same");
    F::init_threads();  // before mpi_init, as FFTW's manual asks
    F::mpi_init();
    const auto n = counts(problem.spectrum());
    Cut c{};
    c.elements =
        line ? F::mpi_local_size_1d(n[0], MPI_COMM_WORLD, FFTW_FORWARD, peer::fftw_effort, &c.count,
                                    &c.first, &c.spectrum_count, &c.spectrum_first)
             : F::mpi_local_size_transposed(problem.axes(), n.data(), MPI_COMM_WORLD, &c.count,
                                            &c.first, &c.spectrum_count, &c.spectrum_first);
    return c;
  }

  FftwMpi(const peer::Problem& problem, const peer::Processes& processes, const Cut& c)
      : problem_(problem),
        points_(peer::natural_slab(problem.extents, c.first, c.count, problem.padded_row())),
        spectrum_(spectrum_slab(problem, c)),
        out_(problem.batch, c.elements),
        in_(problem.in_place ? 0 : problem.batch, c.elements),
        plan_(measured(processes.rank())) {}

  static peer::Slab spectrum_slab(const peer::Problem& problem, const Cut& c) {
    const peer::Index n = problem.spectrum();
    if (problem.axes() == 1)
      return peer::natural_slab(n, c.spectrum_first, c.spectrum_count, n.back());
    if (!problem.free_output) return peer::natural_slab(n, c.first, c.count, n.back());
    std::vector<int> first_two_exchanged(n.size());
    std::iota(first_two_exchanged.begin(), first_two_exchanged.end(), 0);
    std::swap(first_two_exchanged[0], first_two_exchanged[1]);
    return peer::transposed_slab(n, std::move(first_two_exchanged), c.spectrum_first,
                                 c.spectrum_count);
  }
  static std::vector<std::ptrdiff_t> counts(const peer::Index& n) { return {n.begin(), n.end()}; }
  Complex* input(std::int64_t member) const {
    return problem_.in_place ? out_[member] : in_[member];
  }

  typename F::Plan measured(int rank) const {
    F::plan_with_nthreads(problem_.threads);
    const char* wisdom = problem_.wisdom.c_str();
    if (*wisdom) {
      if (rank == 0) F::import_wisdom(wisdom);
      F::mpi_broadcast_wisdom(MPI_COMM_WORLD);
    }
    const auto n = counts(problem_.extents);
    const unsigned effort =
        peer::fftw_effort | (problem_.free_output ? FFTW_MPI_TRANSPOSED_OUT : 0u);
    auto* out = reinterpret_cast<typename F::Complex*>(out_[0]);
    auto plan = problem_.real ? F::mpi_plan_dft_r2c(problem_.axes(), n.data(),
                                                    reinterpret_cast<Real*>(input(0)), out,
                                                    MPI_COMM_WORLD, effort)
                              : F::mpi_plan_dft(problem_.axes(), n.data(),
                                                reinterpret_cast<typename F::Complex*>(input(0)),
                                                out, MPI_COMM_WORLD, FFTW_FORWARD, effort);
    if (*wisdom) {
      F::mpi_gather_wisdom(MPI_COMM_WORLD);
      if (rank == 0) F::export_wisdom(wisdom);
    }
    return plan;
  }

  peer::Problem problem_;
  peer::Slab points_, spectrum_;
  peer::Batch<Complex> out_, in_;
  peer::FftwPlan<Real> plan_;
};

int main(int argc, char** argv) { return peer::main_of<FftwMpi>(argc, argv); }
