// bench/peers/peer_mkl_cluster: MKL's cluster FFT over slabs; --output free leaves the spectrum
// transposed. It knows no batches, so one descriptor transforms the fields one after another.
#include <mkl_cdft.h>

#include <numeric>

#include "mkl.hpp"

template <class Real>
class MklCluster {
  using Complex = std::complex<Real>;

 public:
  static constexpr const char* name = "mkl-cluster";
  static std::string version() { return peer::mkl_library_version(); }

  MklCluster(const peer::Problem& problem, const peer::Processes&) : problem_(problem) {
    const bool line = problem.axes() == 1;
    if (line && problem.real)
      throw peer::Unsupported("MKL's cluster FFT has no r2c of one axis; try --kind c2c");
    if (line && problem.free_output)
      throw peer::Unsupported(
          "MKL's cluster FFT leaves no spectrum of one axis transposed; try --output same");
    mkl_set_dynamic(0);
    mkl_set_num_threads(problem.threads);
    std::vector<MKL_LONG> n(problem.extents.begin(), problem.extents.end());
    const auto precision = peer::mkl_precision(problem);
    const auto domain = peer::mkl_domain(problem);
    // DftiCreateDescriptorDM takes one extent by value, several by address.
    peer::mkl(line ? DftiCreateDescriptorDM(MPI_COMM_WORLD, &plan_, precision, domain, 1, n[0])
                   : DftiCreateDescriptorDM(MPI_COMM_WORLD, &plan_, precision, domain,
                                            static_cast<MKL_LONG>(n.size()), n.data()),
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
    // Version 2026 stores 3 axes in the order (1, 2, 0), and 4 in the order (1, 2, 3, 0): the axis
    // that is transformed last is contiguous.
    std::vector<int> order(spectrum.size());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1, order.end());
    spectrum_ = problem.free_output ? peer::transposed_slab(spectrum, order, first, count)
                                    : peer::natural_slab(spectrum, first, count, spectrum.back());
    out_ = peer::Batch<Complex>(problem.batch, elements);
    if (!problem.in_place) in_ = peer::Batch<Complex>(problem.batch, elements);
  }
  ~MklCluster() { DftiFreeDescriptorDM(&plan_); }
  MklCluster(const MklCluster&) = delete;
  MklCluster& operator=(const MklCluster&) = delete;

  void fill() {
    for (std::int64_t member = 0; member < problem_.batch; ++member)
      peer::fill_input(problem_.in_place ? out_[member] : in_[member], problem_, member, points_);
  }
  void forward() {
    for (std::int64_t member = 0; member < problem_.batch; ++member)
      peer::mkl(problem_.in_place ? DftiComputeForwardDM(plan_, out_[member])
                                  : DftiComputeForwardDM(plan_, in_[member], out_[member]),
                "the transform");
  }
  auto find(std::int64_t member, const peer::Index& k) const {
    return peer::find_in(out_[member], spectrum_, k);
  }
  const char* output() const { return problem_.free_output ? "transposed" : "natural"; }

 private:
  MKL_LONG local_value(int parameter) const {
    MKL_LONG value = 0;
    peer::mkl(DftiGetValueDM(plan_, parameter, &value), "to get its distribution");
    return value;
  }

  peer::Problem problem_;
  peer::Slab points_, spectrum_;
  peer::Batch<Complex> out_, in_;
  DFTI_DESCRIPTOR_DM_HANDLE plan_ = nullptr;
};

int main(int argc, char** argv) { return peer::main_of<MklCluster>(argc, argv); }
