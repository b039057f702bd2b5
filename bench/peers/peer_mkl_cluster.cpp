// bench/peers/peer_mkl_cluster: MKL's cluster FFT over slabs; --output free leaves the spectrum
// transposed.
#include <mkl_cdft.h>
#include <mkl_service.h>

#include "mkl.hpp"

template <class Real>
class MklCluster {
  using Complex = std::complex<Real>;

 public:
  static constexpr const char* name = "mkl-cluster";

  MklCluster(const peer::Problem& problem, const peer::Processes&) : problem_(problem) {
    if (problem.axes() < 2)
      throw peer::Unsupported("compared on 2 and 3 axes, not on 1; try --size 256x256");
    mkl_set_dynamic(0);
    mkl_set_num_threads(problem.threads);
    std::vector<MKL_LONG> n(problem.extents.begin(), problem.extents.end());
    peer::mkl(DftiCreateDescriptorDM(MPI_COMM_WORLD, &plan_, peer::mkl_precision(problem),
                                     peer::mkl_domain(problem), static_cast<MKL_LONG>(n.size()),
                                     n.data()),
              "the descriptor");
    peer::mkl(
        DftiSetValueDM(plan_, DFTI_PLACEMENT, problem.in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE),
        "the placement");
    if (problem.free_output)
      peer::mkl(DftiSetValueDM(plan_, DFTI_TRANSPOSE, DFTI_ALLOW), "transposed output");
    peer::mkl(DftiCommitDescriptorDM(plan_), "to commit the descriptor");

    const MKL_LONG elements = local_value(CDFT_LOCAL_SIZE);
    points_ = peer::natural_slab(problem.extents, local_value(CDFT_LOCAL_X_START),
                                 local_value(CDFT_LOCAL_NX), problem.padded_row());
    const MKL_LONG first = local_value(CDFT_LOCAL_OUT_X_START),
                   count = local_value(CDFT_LOCAL_OUT_NX);
    const peer::Index spectrum = problem.spectrum();
    // Version 2026 stores 3 axes in the order (1, 2, 0): the axis that is transformed last is
    // contiguous.
    const std::vector<int> order =
        problem.axes() == 2 ? std::vector<int>{1, 0} : std::vector<int>{1, 2, 0};
    spectrum_ = problem.free_output ? peer::transposed_slab(spectrum, order, first, count)
                                    : peer::natural_slab(spectrum, first, count, spectrum.back());
    out_ = peer::Field<Complex>(elements);
    if (!problem.in_place) in_ = peer::Field<Complex>(elements);
  }
  ~MklCluster() { DftiFreeDescriptorDM(&plan_); }
  MklCluster(const MklCluster&) = delete;
  MklCluster& operator=(const MklCluster&) = delete;

  void fill() { peer::fill_input(input(), problem_, points_); }
  void forward() {
    peer::mkl(problem_.in_place ? DftiComputeForwardDM(plan_, out_.data())
                                : DftiComputeForwardDM(plan_, in_.data(), out_.data()),
              "the transform");
  }
  auto find(const peer::Index& k) const { return peer::find_in(out_.data(), spectrum_, k); }
  const char* output() const { return problem_.free_output ? "transposed" : "natural"; }

 private:
  MKL_LONG local_value(int parameter) const {
    MKL_LONG value = 0;
    peer::mkl(DftiGetValueDM(plan_, parameter, &value), "to get its distribution");
    return value;
  }
  Complex* input() const { return problem_.in_place ? out_.data() : in_.data(); }

  peer::Problem problem_;
  peer::Slab points_, spectrum_;
  peer::Field<Complex> out_, in_;
  DFTI_DESCRIPTOR_DM_HANDLE plan_ = nullptr;
};

int main(int argc, char** argv) { return peer::main_of<MklCluster>(argc, argv); }
