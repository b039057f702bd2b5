// weft/any_plan: a plan for element types known at run time. weft::Plan is the same with types
// known at compile time.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/detail.hpp"
#include "weft/memory.hpp"
#include "weft/memory_use.hpp"
#include "weft/options.hpp"
#include "weft/problem.hpp"
#include "weft/report.hpp"
#include "weft/share.hpp"
#include "weft/source.hpp"
#include "weft/ticket.hpp"
#include "weft/wavenumbers.hpp"

namespace weft {

class PlanBody;

/// A plan's strategy in a line, as Options::strategy takes it.
class StrategyText {
 public:
  /// From a text that parses as a strategy.
  explicit StrategyText(std::string text) : text_(std::move(text)) {}
  /// The text, for Options::strategy.
  operator std::string() const { return text_; }
  /// The text.
  friend std::string to_string(const StrategyText& strategy) { return strategy.text_; }
  /// Writes it to a stream.
  template <class Stream>
  friend Stream& operator<<(Stream& stream, const StrategyText& strategy) {
    stream << strategy.text_;
    return stream;
  }
  /// Whether both are the same text.
  friend bool operator==(const StrategyText& a, const StrategyText& b) {
    return a.text_ == b.text_;
  }

 private:
  std::string text_;
};

/// A distributed transform of element types known at run time. Making it and destroying it is
/// collective, as plans make and free communicators; after MPI_Finalize destroying it frees memory
/// only. Other functions are not collective unless they say so. A plan that has been moved from can
/// be assigned to and destroyed; anything else is Error::invalid.
class AnyPlan {
 public:
  /// Plans `problem` over the ranks of `comm`, which is duplicated. Collective. The same Error on
  /// every rank: Error::invalid for a problem or options that contradict themselves or are out of
  /// range; Error::mismatch if ranks pass different ones; Error::unsupported for what this build,
  /// the MPI library or a machine cannot do; Error::system if there is not enough memory.
  AnyPlan(MPI_Comm comm, const Problem& problem, const Options& options = {});
  /// Plans `problem` for this process alone, with all of its threads and without MPI, which need
  /// not be initialised. Not collective. Several threads may have such plans and transform at the
  /// same time; Options::threads says how many threads each plan takes. One thread transforms a
  /// field that fits the cache of a core. The caller must not use one array in transforms of
  /// several plans at the same time. Errors as above.
  explicit AnyPlan(const Problem& problem, const Options& options = {});
  AnyPlan(AnyPlan&& other) noexcept;
  /// Waits for the transforms of the plan that is replaced, and frees it: collective.
  AnyPlan& operator=(AnyPlan&& other) noexcept;
  ~AnyPlan();

  /// Transforms `from` into `to`, forward or back, and returns when that is done: start_forward or
  /// start_backward, and wait. Collective. Each is a field, a span or a pointer; arrays are laid
  /// out as input() and output() say. `from` is left as it is. Where the plan is in place, both may
  /// be the same array, in any run and on any rank. All results are multiplied by `scale`, in
  /// addition to the factor of Problem::norm, when they are stored, so this takes no further walk
  /// over memory. With the scale 1, no bit differs from what a run without one computes.
  void forward(const AnySource& from, const AnyTarget& to, double scale = 1) {
    start_forward(from, to, scale).wait();
  }
  void backward(const AnySource& from, const AnyTarget& to, double scale = 1) {
    start_backward(from, to, scale).wait();
  }

  /// Starts a transform: hands over what can be received or sent at once, computes nothing yet,
  /// and returns. Collective in that the n-th start of a plan, blocking or not, is the same on
  /// all ranks; different plans may be started in different orders. Up to Options::in_flight
  /// transforms of a plan can be under way; one more waits for the first to end.
  ///
  /// A rank on which one of these errors holds throws it here, and the other ranks get it at test
  /// or wait, with the number of that rank:
  /// - Error::invalid if both arrays are the same and the plan is not in place, or if they overlap
  ///   otherwise; if a transform under way works on one of them; if a span has fewer elements than
  ///   the plan needs; if a field does not hold the boxes that the plan takes or makes, laid out as
  ///   the plan says; if the scale is not finite; if this thread may not call MPI;
  /// - Error::unsupported for a scale other than 1 if no axis is transformed: such a plan moves
  ///   bits.
  ///
  /// All ranks get Error::mismatch at test or wait if some start forward and others backward, or
  /// with different scales.
  Ticket start_forward(const AnySource& from, const AnyTarget& to, double scale = 1);
  Ticket start_backward(const AnySource& from, const AnyTarget& to, double scale = 1);

  /// What it was made for, with its axes listed, 0-based, and the boxes of all ranks gathered.
  const Problem& problem() const;
  /// What forward takes, and what it makes, on this rank.
  const Share& input() const;
  const Share& output() const;
  /// The one box of this rank on each side, with no points where the rank has none. Not collective.
  /// Error::invalid, with their number, if the rank has several boxes, and for waves.
  Box local_input() const;
  Box local_output() const;
  /// The wavenumbers of a transformed `axis`, negative from the end, in the spectrum: the output,
  /// or the input of c2r. For c2c, both sides have the same. Error::invalid for an axis that is not
  /// transformed or has another basis than Fourier's, and with a cut-off, where points() gives the
  /// wavenumbers.
  Wavenumbers wavenumbers(int axis) const;
  /// Error::invalid unless the plan is in place.
  void require_in_place() const;

  /// Zeroed memory for an input or output of this plan, which the other ranks of the node can work
  /// on, aligned to a cache line (64 bytes); for a plan on a device, memory of the processor that
  /// the device copies fast. Not collective. Error::system if there is not so much memory. Plans
  /// take any memory, but memory that was not made so may cost an extra copy in each run.
  std::shared_ptr<std::byte> allocate(std::int64_t bytes) const;
  /// Zeroed memory of this kind, for a plan on a device, aligned to 256 bytes. Not collective.
  /// Memory::host is memory as any. Error::invalid for another kind if processors compute;
  /// Error::system, with the bytes that are wanted and free, if there is not so much.
  std::shared_ptr<std::byte> allocate(std::int64_t bytes, Memory kind) const;
  /// The kind of memory that allocate gives if none is named: registered for a plan on a device.
  Memory usual_memory() const;

  /// This process's rank among the plan's, and their communicator: a duplicate of the one that the
  /// plan was made with, which all plans made with that one share. It stays weft's: do not free it.
  /// MPI_COMM_NULL if the plan is of this process alone. MPI calls with this communicator return
  /// errors instead of ending the program, so check what they return.
  int rank() const;
  MPI_Comm comm() const;
  /// Name of the engine that computes, one of those that `weft engines` lists.
  const std::string& engine() const;
  /// Threads that run the transform on this rank.
  int threads() const;
  /// Bytes this rank holds beyond the user's arrays: buffers between stages, and tiles. An array
  /// that make_input, make_output or allocate did not make may need a stand-in for the node to work
  /// on, which counts from the first run with such an array on.
  std::int64_t workspace_bytes() const;
  /// The bytes that this rank needs for the plan, and those that it holds now. Making a plan whose
  /// ranks would need more memory than a machine or a process may have is Error::system on all
  /// ranks.
  PlanMemory memory() const;

  /// The strategy in a line, as Options::strategy takes it. The same on every rank.
  StrategyText strategy() const;
  /// The plan in words: for which problem, ranks and threads, the engine, the strategy and how it
  /// was chosen, the memory, and what is worth knowing. With Detail::all, also where the data lie
  /// stage by stage (rank 0's share), and what it costs; where the plan measured how fast this
  /// machine is, what each stage is predicted to take, and up to three other strategies and why
  /// they lose; and all that was raced. No line break at the end. The same on every rank; not
  /// collective.
  std::string describe(Detail detail = Detail::summary) const;
  /// The plan as values: strategy, machine, memory, and what the stages of its last runs in both
  /// directions did on this rank, with their times in seconds. Not collective.
  PlanReport report() const;

 private:
  friend struct PlanAccess;
  PlanBody& body() const;

  std::unique_ptr<PlanBody> body_;
};

}  // namespace weft
