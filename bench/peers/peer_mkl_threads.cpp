// bench/peers/peer_mkl_threads: MKL in one process with threads, without messages.
#include "mkl.hpp"

template <class Real>
class MklThreads : public peer::WholeField<Real> {
  using peer::WholeField<Real>::problem_;
  using peer::WholeField<Real>::points_;
  using peer::WholeField<Real>::spectrum_;
  using peer::WholeField<Real>::out_;
  using peer::WholeField<Real>::in_;
  using peer::WholeField<Real>::points_distance;

 public:
  static constexpr const char* name = "mkl-threads";
  static std::string version() { return peer::mkl_library_version(); }

  MklThreads(const peer::Problem& problem, const peer::Processes&)
      : peer::WholeField<Real>(problem) {
    mkl_set_dynamic(0);
    mkl_set_num_threads(problem.threads);
    std::vector<MKL_LONG> n(problem.extents.begin(), problem.extents.end());
    const auto precision = peer::mkl_precision(problem);
    const auto domain = peer::mkl_domain(problem);
    // DftiCreateDescriptor takes one extent by value, several by address.
    peer::mkl(n.size() == 1 ? DftiCreateDescriptor(&plan_, precision, domain, 1, n[0])
                            : DftiCreateDescriptor(&plan_, precision, domain,
                                                   static_cast<MKL_LONG>(n.size()), n.data()),
              "the descriptor");
    peer::mkl(
        DftiSetValue(plan_, DFTI_PLACEMENT, problem.in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE),
        "the placement");
    peer::mkl(DftiSetValue(plan_, DFTI_THREAD_LIMIT, static_cast<MKL_LONG>(problem.threads)),
              "the thread limit");
    if (problem.batch > 1) {
      const auto set = [this](DFTI_CONFIG_PARAM parameter, std::int64_t value, const char* what) {
        peer::mkl(DftiSetValue(plan_, parameter, static_cast<MKL_LONG>(value)), what);
      };
      set(DFTI_NUMBER_OF_TRANSFORMS, problem.batch, "the number of fields");
      set(DFTI_FWD_DISTANCE, points_distance(), "the distance of the fields");
      set(DFTI_BWD_DISTANCE, out_.distance(), "the distance of the spectra");
    }
    if (problem.real) {
      const auto in = peer::mkl_strides(points_.stored, points_.stored.back());
      const auto out = peer::mkl_strides(spectrum_.stored, spectrum_.stored.back());
      peer::mkl(DftiSetValue(plan_, DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX),
                "complex storage");
      peer::mkl(DftiSetValue(plan_, DFTI_FWD_STRIDES, in.data()), "the strides of the points");
      peer::mkl(DftiSetValue(plan_, DFTI_BWD_STRIDES, out.data()), "the strides of the spectrum");
    }
    peer::mkl(DftiCommitDescriptor(plan_), "to commit the descriptor");
  }
  ~MklThreads() { DftiFreeDescriptor(&plan_); }
  MklThreads(const MklThreads&) = delete;
  MklThreads& operator=(const MklThreads&) = delete;

  void forward() {
    peer::mkl(problem_.in_place ? DftiComputeForward(plan_, out_[0])
                                : DftiComputeForward(plan_, in_[0], out_[0]),
              "the transform");
  }

 private:
  DFTI_DESCRIPTOR_HANDLE plan_ = nullptr;
};

int main(int argc, char** argv) { return peer::main_of<MklThreads>(argc, argv); }
