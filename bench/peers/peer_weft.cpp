// bench/peers/peer_weft: weft itself under the protocol of its peers, through its public interface.
#include <memory>
#include <weft/weft.hpp>

#include "peer.hpp"

/// A plan with its fields, whatever their element types are.
class Transform {
 public:
  virtual ~Transform() = default;
  virtual void fill() = 0;
  virtual void forward() = 0;
  virtual std::optional<std::complex<double>> find(std::int64_t member,
                                                   const peer::Index& k) const = 0;
};

template <class In, class Out>
class TypedTransform : public Transform {
 public:
  TypedTransform(const weft::TypedProblem<In, Out>& problem, const weft::Options& options)
      : extents_(problem.extents),
        plan_(MPI_COMM_WORLD, problem, options),
        in_(plan_.make_input()),
        out_(problem.in_place ? plan_.output_in(in_) : plan_.make_output()) {}

  void fill() override {
    for (std::int64_t member = 0; member < in_.share().fields; ++member)
      for (auto [at, x] : in_.points(member)) {
        std::int64_t index = member;
        for (int a = 0; a < at.size(); ++a) index = index * extents_[a] + at[a];
        x = peer::value<In>(index);
      }
  }
  void forward() override { plan_.forward(in_, out_); }
  std::optional<std::complex<double>> find(std::int64_t member,
                                           const peer::Index& k) const override {
    const weft::Share& share = out_.share();
    for (std::size_t b = 0; b < share.boxes.size(); ++b) {
      weft::Dims at;
      for (auto i : k) at.push_back(i);
      if (!share.boxes[b].contains(at)) continue;
      for (int a = 0; a < at.size(); ++a) at[a] -= share.boxes[b].lo[a];
      const Out* spectrum = out_.data() + out_.start_of(member);
      const Out found = spectrum[share.array.offsets[b] + share.array.layouts[b].at(at)];
      return std::complex<double>(found.real(), found.imag());
    }
    return std::nullopt;
  }

 private:
  weft::Extents extents_;
  weft::Plan<In, Out> plan_;
  weft::Field<In> in_;
  weft::Field<Out> out_;
};

template <class Real>
class Weft {
 public:
  static constexpr const char* name = "weft";
  static std::string version() { return PEER_WEFT_VERSION; }

  Weft(const peer::Problem& problem, const peer::Processes&) : problem_(problem) {
    weft::Extents extents;
    for (auto n : problem.extents) extents.push_back(n);
    try {
      if (problem.real)
        transform_ = planned(weft::r2c<Real>(extents));
      else
        transform_ = planned(weft::c2c<Real>(extents));
    } catch (const weft::Error& error) {
      throw peer::Unsupported(error.message() +
                              (error.hint().empty() ? "" : "; try " + error.hint()));
    }
  }

  void fill() { transform_->fill(); }
  void forward() { transform_->forward(); }
  auto find(std::int64_t member, const peer::Index& k) const { return transform_->find(member, k); }
  const char* output() const { return problem_.free_output ? "transposed" : "natural"; }

 private:
  template <class In, class Out>
  std::unique_ptr<Transform> planned(weft::TypedProblem<In, Out> problem) const {
    problem.batch = problem_.batch;
    problem.in_place = problem_.in_place;
    problem.output.form =
        problem_.free_output ? weft::Distribution::free : weft::Distribution::same;
    weft::Options options;
    options.threads = problem_.threads;
    return std::make_unique<TypedTransform<In, Out>>(problem, options);
  }

  peer::Problem problem_;
  std::unique_ptr<Transform> transform_;
};

int main(int argc, char** argv) { return peer::main_of<Weft>(argc, argv); }
