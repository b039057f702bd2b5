// weft/options: what a user may say about how to plan.
// Floor: problem.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/placement.hpp"
#include "weft/problem.hpp"

namespace weft {

/// How long a plan may look for what is fastest when it is made.
enum class Effort {
  estimate,  ///< no trial runs: plans at once, and the same way every time
  /// Trial runs, of the FFT libraries' own and, for about 0.3 s, of how passes are executed: which
  /// library transforms which axis, and more, which describe(Detail::all) tells. Where the data are
  /// about as large as the shared caches, a part of that time goes into making and running whole
  /// plans, with arrays of their own. Results may differ in the last bits from plan to plan; a plan
  /// with the strategy of another has the same choices.
  measure,
  /// Takes what is remembered for this problem. Where nothing is, the plan races the most promising
  /// strategies, exchanges, chunks, engines, threads, tiles, segments and choices of Progress for
  /// about Options::tune_seconds, and remembers the fastest. Every later plan for the same problem
  /// on as many ranks of the same machine then has it at once, also in other programs, and with
  /// Effort::measure. A plan is made as with measure while other transforms of the process are
  /// under way, and where there is too little memory for two plans. See "Tuning that is remembered"
  /// in the guide.
  tune,
};

/// Who takes transforms further while the application does something else.
enum class Progress {
  /// Only weft's own calls: progress(), and test and wait of any ticket; for a plan without a
  /// communicator, those of its own tickets.
  by_calls,
  by_tiles,  ///< these, and between the tiles of a pass, so that computing moves other messages
  /// These, and a thread of weft's own; plans with a communicator need MPI_THREAD_MULTIPLE.
  by_thread,
  automatic  ///< what Effort::tune found for the problem; by_tiles if it found nothing
};

/// Whose arrays runs are given. The results have the same bits; on devices, see docs/conventions.
enum class Arrays {
  /// Made by make_input, make_output or allocate of a plan: the ranks of a node work on each
  /// other's. Other arrays can be given, too; what the other ranks work on is then copied once more
  /// in each run.
  of_weft,
  /// Any memory of the application's, of Allocator's for example: a rank works on its own arrays
  /// only. What passes between the ranks of a node goes through buffers of the plan's, which
  /// AnyPlan::memory counts.
  any,
};

/// What a plan takes the machine for, instead of what it finds: for tests, and to see what another
/// machine would be given. 0 and empty leave what is found. Error::invalid on all ranks for caches
/// above 4 TiB.
struct Pretend {
  std::int64_t cache_bytes = 0;         ///< bytes of each core's own cache
  std::int64_t shared_cache_bytes = 0;  ///< bytes of each rank's part of the shared caches
  /// MPI sends messages below this size without asking the receiver; 0: 64 KiB.
  std::int64_t eager_message_bytes = 0;
  /// Ranks of each node: {2}, or {1, 3} for one, three, one and so on. Empty: WEFT_NODE_SIZE, or
  /// what is found.
  std::vector<int> node_sizes;
};

/// How to plan; the defaults leave everything to the planner. All ranks pass the same options; give
/// at most one of `ranks`, `placement` and `strategy`. Error::invalid on all ranks for what is out
/// of range: threads 0 to 4096, chunks 0 to 128, in_flight 1 to 1024, tune_seconds above 0 to
/// 86400.
struct Options {
  std::string exchange;  ///< a name that `weft exchanges` lists; empty: the planner's choice
  /// A name that `weft engines` lists; empty: the first local library that applies. A driver of
  /// devices (cuda, hip) has these compute, a library for devices (cufft, hipfft) these and the
  /// library; "fastest": whichever is predicted so (docs/gpu.md).
  std::string engine;
  /// The device that a rank uses, of those that its process sees, from 0 on. -1: the ranks of a
  /// node share its devices in their order. If it is given, and no engine is, the first driver of
  /// devices that applies is the engine; Error::invalid with another one.
  int device = -1;
  /// Bytes of memory of its device that arrays and workspace of the plan may take on each rank; 0:
  /// the rank's share of what the device has. Where they take more, they stay in memory of the
  /// processor, and tiles of them stream through the device, of which those there take no more than
  /// this: see docs/gpu.md. Error::system, with the bytes, if those of a given strategy do.
  std::int64_t device_memory_limit = 0;
  /// A stream of the application on that device, a cudaStream_t or hipStream_t, in which all of the
  /// device's work is enqueued: a transform then comes after what is in the stream before it
  /// starts, as a kernel would, and what the application enqueues after the transform has been
  /// waited for comes after it. Waiting returns when all is enqueued, which is before it has
  /// happened; messages between ranks and copies are still waited for. It must outlive the plan.
  /// While the application captures the stream in a graph, transforms become parts of that: see
  /// docs/gpu.md. Error::unsupported, on all ranks, of plans that cannot, as those of several
  /// ranks. Null: a stream of weft's own, and waiting returns when results are there. CUDA's
  /// default stream is cudaStreamLegacy or cudaStreamPerThread here.
  void* stream = nullptr;
  /// The form of all stages: slab, pencil or brick; free: the planner's choice.
  Distribution::Form decomposition = Distribution::free;
  Dims grid;  ///< the process grid AxB of all stages; empty: the planner's choice
  /// How many ranks compute, where the grid is too small for all; 0: all. They are on as few nodes
  /// as can hold them, and the largest nodes are filled first. Inputs and outputs that the problem
  /// leaves free lie on these ranks; the other ranks own nothing of them.
  int ranks = 0;
  Placement placement;   ///< the rank of every piece, and how many pieces there are
  std::string strategy;  ///< what describe() calls the strategy: use just this one
  Effort effort = Effort::measure;
  double tune_seconds = 10;  ///< about how many seconds Effort::tune may take
  /// No measurement decides anything: the plan takes `effort` as estimate. Every run on the same
  /// number of ranks, nodes and threads of the same processors then gives the same bits.
  bool reproducible = false;
  /// The threads of each rank; 0: its share of the cores it may run on, but no more than OpenMP
  /// allows (OMP_NUM_THREADS).
  int threads = 0;
  /// The exchange `node` cuts the message between two nodes into segments of this many bytes or
  /// more, so that all ranks of both nodes send and receive; a message of four times as many bytes
  /// or more may have segments of a fourth of this size. 0: 64 KiB.
  std::int64_t segment_bytes = 0;
  /// The number of chunks of every exchange that can be cut; 0: the planner's choice. More chunks
  /// hide more of the exchange behind computing, but need memory for all exchanges at once.
  int chunks = 0;
  /// Transforms of this plan that can be under way at the same time; each has its own workspace.
  int in_flight = 1;
  Arrays arrays = Arrays::of_weft;  ///< whose arrays the plan will be given
  /// Whether arrays of 4 MiB or more that weft did not make are to have huge pages; those of
  /// Allocator have them from the start. Their contents stay. Pages that exist are moved once, when
  /// an array has been given 32 times; for 256x256x256 complex doubles that run takes up to a
  /// second longer.
  bool huge_pages = true;
  /// Who takes transforms further while the application does something else. The plan does what is
  /// asked for here, whatever tuning has found; only automatic takes what tuning has found.
  Progress progress = Progress::automatic;
  Pretend pretend;  ///< what the plan takes the machine for, instead of what it finds
};

}  // namespace weft
