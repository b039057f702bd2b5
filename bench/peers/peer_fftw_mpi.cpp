// bench/peers/peer_fftw_mpi: FFTW's own MPI transforms over slabs; --output free leaves the
// spectrum transposed.
#include "fftw.hpp"

template <class Real>
class FftwMpi {
  using F = peer::Fftw<Real>;
  using Complex = std::complex<Real>;

 public:
  static constexpr const char* name = "fftw-mpi";

  FftwMpi(const peer::Problem& problem, const peer::Processes& processes)
      : FftwMpi(problem, processes, cut(problem)) {}

  void fill() { peer::fill_input(input(), problem_, points_); }
  void forward() { plan_.execute(); }
  auto find(const peer::Index& k) const { return peer::find_in(out_.data(), spectrum_, k); }
  const char* output() const { return problem_.free_output ? "transposed" : "natural"; }

 private:
  struct Cut {
    std::ptrdiff_t elements, count, first, transposed_count, transposed_first;
  };

  static Cut cut(const peer::Problem& problem) {
    if (problem.axes() < 2)
      throw peer::Unsupported("compared on 2 and 3 axes, not on 1; try --size 256x256");
    if (problem.free_output && (problem.extents[0] == 1 || problem.extents[1] == 1))
      throw peer::Unsupported(
          "FFTW drops an axis of one point and then transposes the axes after it; try --output "
          "same");
    F::init_threads();  // before mpi_init, as FFTW's manual asks
    F::mpi_init();
    const auto n = counts(problem.spectrum());
    Cut c{};
    c.elements = F::mpi_local_size_transposed(problem.axes(), n.data(), MPI_COMM_WORLD, &c.count,
                                              &c.first, &c.transposed_count, &c.transposed_first);
    return c;
  }

  FftwMpi(const peer::Problem& problem, const peer::Processes& processes, const Cut& c)
      : problem_(problem),
        points_(peer::natural_slab(problem.extents, c.first, c.count, problem.padded_row())),
        spectrum_(problem.free_output ? peer::transposed_slab(
                                            problem.spectrum(), first_two_exchanged(problem.axes()),
                                            c.transposed_first, c.transposed_count)
                                      : peer::natural_slab(problem.spectrum(), c.first, c.count,
                                                           problem.spectrum().back())),
        out_(c.elements),
        in_(problem.in_place ? 1 : c.elements),
        plan_(measured(processes.rank())) {}

  static std::vector<int> first_two_exchanged(int axes) {
    return axes == 2 ? std::vector<int>{1, 0} : std::vector<int>{1, 0, 2};
  }
  static std::vector<std::ptrdiff_t> counts(const peer::Index& n) { return {n.begin(), n.end()}; }
  Complex* input() const { return problem_.in_place ? out_.data() : in_.data(); }

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
    auto* out = reinterpret_cast<typename F::Complex*>(out_.data());
    auto plan = problem_.real ? F::mpi_plan_dft_r2c(problem_.axes(), n.data(),
                                                    reinterpret_cast<Real*>(input()), out,
                                                    MPI_COMM_WORLD, effort)
                              : F::mpi_plan_dft(problem_.axes(), n.data(),
                                                reinterpret_cast<typename F::Complex*>(input()),
                                                out, MPI_COMM_WORLD, FFTW_FORWARD, effort);
    if (*wisdom) {
      F::mpi_gather_wisdom(MPI_COMM_WORLD);
      if (rank == 0) F::export_wisdom(wisdom);
    }
    return plan;
  }

  peer::Problem problem_;
  peer::Slab points_, spectrum_;
  peer::Field<Complex> out_, in_;
  peer::FftwPlan<Real> plan_;
};

int main(int argc, char** argv) { return peer::main_of<FftwMpi>(argc, argv); }
