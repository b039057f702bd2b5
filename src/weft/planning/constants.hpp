// planning/constants: the numbers by which the planner chooses, and where each of them is from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// A number is measured, and says where, or it is a choice, and says what for.
namespace weft::constants {

// ---- tiles: how many axes share a pass (planning/pass_grouping)

/// A tile of several axes may be as large as so many level-2 caches. Measured: planes of four are
/// as fast in one pass as in a sweep (docs/lab/2026-11-passes.md); beyond that a choice: a larger
/// tile saves a pass, and more of its loads miss the cache.
constexpr std::int64_t most_private_caches = 8;
/// The part of a rank's share of the level-3 cache that such a tile may fill: 1 / 4. A choice: the
/// rest is left to the data that the tile is loaded from and stored to.
constexpr std::int64_t shared_cache_divisor = 4;
/// The number of such tiles that there must be at least, so that ranks and threads share the work.
/// Measured: 64x64x64 as one tile takes two threads three times as long as in two passes
/// (docs/lab/2026-11-passes.md). The number of threads must not decide, since it must not change a
/// bit of the results.
constexpr std::int64_t least_large_tiles = 8;
/// The bytes of a row of a tile along an axis that is not contiguous: two cache lines. A choice:
/// with longer rows a tile exceeds the cache at shorter axes, with shorter ones it loads slower.
constexpr std::int64_t least_row_bytes = 128;

/// Up to so many axes are put into passes in every order. A choice: n axes have n! orders.
constexpr std::size_t most_axes_in_any_order = 4;

// ---- walks: what passes walk over memory beyond once (planning/pass_grouping)

/// What each axis adds with which a tile of several axes exceeds what it may fill, and the shared
/// cache. Measured by predictions of planes beside transforms (docs/machines.md, "What is
/// predicted").
constexpr double walks_beyond_room = 1.5, walks_beyond_shared_cache = 2.5;
/// What a line adds that exceeds a core's own cache, and a rank's share of the shared cache. Split
/// in two, such an axis takes one walk more. Measured (docs/lab/2026-11-kernels.md, "Long lines"):
/// a line of 2^20 points, which fits the shared cache, takes one thread 13 ms, and 21 ms split, of
/// which two threads take 11 ms; one of 2^24 takes 170 ms, and 73 split. The number of threads must
/// not decide.
constexpr double walks_of_long_line = 2.25, walks_of_longest_line = 4;
/// What columns add of which a few fill more than a part of a core's own cache, and so many bytes.
struct LongColumns {
  std::int64_t cache_divisor, least_bytes;
  double walks;
};
/// Measured (docs/lab/2026-11-kernels.md, "Long lines"): of 2^24 points, a pass over columns of
/// 1024 points takes 1.1 times as long as one over columns of 256, of 2048 points 1.3 times, of
/// 4096 1.7 times and of 8192 2.5 times, with caches of 1 MiB. Of smaller caches nothing was
/// measured: there the same columns are long.
inline constexpr std::array long_columns{LongColumns{2, 512 << 10, 1.5},
                                         LongColumns{4, 256 << 10, 0.7},
                                         LongColumns{8, 128 << 10, 0.25}};

// ---- split axes (planning/split_candidates, planning/planner)

/// First factors of columns beside the root. So many whole rows of the contiguous axis are often a
/// tile that fits a cache, so that the first factor needs no pass of its own. Measured: 8192x8192
/// takes 196 ms with 32, 202 with 16, and 222 with 64, whose tile fills eight level-2 caches.
inline constexpr std::array<std::int64_t, 2> rows_of_split_tiles{32, 16};
/// The walks over memory that long columns must take beyond one for a split, which costs about as
/// much itself, as points are multiplied with factors and tiles of whole rows are large. Measured:
/// columns of 4096 points take as long whole as split, of 2048 less and of 8192 more.
constexpr double least_walks_to_split = 1;
/// The share of the busiest rank, relative to an even one, above which the longest axis may be
/// split in two. A choice: a split costs up to three exchanges.
constexpr double least_imbalance_for_split = 1.5;

// ---- the search (planning/layout_candidates, planning/strategy_search)

/// The number of available axes of which all subsets are tried; of more axes, the first ones only.
/// A choice: n axes have 2^n subsets.
constexpr std::size_t most_axes_with_all_subsets = 3;
/// The number of process grids above which those that divide the most axes are left out. A choice:
/// the search compares every pair of grids; 150 keep it well under a second for 1000 ranks.
constexpr std::size_t most_grids = 150;
/// The number of input grids that are searched one by one where the output must be distributed as
/// the input. A choice: each needs a search of its own, and grids are listed with slabs first.
constexpr std::size_t most_starts = 12;
/// An input grid may give its busiest rank this much more than the most even grid does. A choice:
/// it admits slabs of a number of planes that the ranks do not divide.
constexpr double uneven_start = 1.25;
/// What a result that in-place transforms leave on other ranks than the input is charged, as a part
/// of a walk: it takes memory beside the array. A choice: it decides between almost equal times.
constexpr double part_for_extra_field = 0.1;
/// What a copy is charged, in walks, where a pass could unpack instead. A choice: a copy loads and
/// stores as much as a pass, and no pass can share its walk.
constexpr double walks_for_copies = 1.5;
/// What each exchange is charged beyond its time, as a part of a walk. A choice: of strategies that
/// are predicted to take about equally long, the one with fewer exchanges is taken.
constexpr double part_for_exchanges = 0.05;
/// What each axis that is transformed after an exchange is charged, as a part of a walk: of
/// strategies that take equally long, the one that transforms more axes early is taken. A choice:
/// large beside rounding, and small beside all that is predicted.
constexpr double part_for_late_axes = 1e-6;
/// A walk is so many bits longer than the unit of time in which the search counts. A choice: sums
/// of equal times in other orders are equal, and a number holds those of 2^12 walks.
constexpr int bits_of_walk = 40;

// ---- exchanges (planning/search_costs, planning/traffic, choose/checked_options)

/// The number of ranks that are examined for the busiest one, evenly spaced; they stand for all. A
/// choice: more ranks find it more surely, and make planning for thousands of ranks slower.
constexpr std::int64_t most_sampled_ranks = 64;
/// The mean size of messages below which they are padded to equal size for MPI_Alltoall.
/// Measured: MPI_Alltoallv takes twice as long there (Subramoni, ISC'15).
constexpr double small_message_bytes = 256;
/// From so much of a core's time for each byte on, cores move the bytes of messages. A choice: it
/// is 0.3 ns over TCP, and nothing where the network moves the bytes.
constexpr double least_seconds_per_byte_of_cores = 0.05e-9;

// ---- chunks (planning/chunks)

/// The cost of a message, as the bytes that a link carries in that time: 1 us at 4 GB/s per rank;
/// what was measured between the nodes takes its place if that is more. K chunks cost K messages
/// and leave about 1/K of the transfer exposed, so the best K is near the root of what two ranks
/// (or nodes that share memory) exchange, in this unit. Measured: simulated slabs and pencils are
/// within 4% of the best of 1 to 64 chunks (docs/lab/2026-11-chunks.md, "How many chunks").
constexpr double message_cost_bytes = 1 << 12;
/// The largest number that is chosen; users may ask for up to weft::most_chunks. Measured: with 16,
/// 300x300x300 in slabs on 8 simulated hosts took 1.18 times the best time.
constexpr int most_chosen_chunks = 64;
/// MPI sends smaller messages eagerly (Open MPI over TCP and SMPI do), so that a later, more urgent
/// message cannot overtake them. Where the two passes are cut along different axes, this order
/// matters, and messages are not made smaller, unless that left fewer than 2 parts on either side.
/// Measured: 8 chunks of 65.5 kB kept the order, 9 did not (docs/lab/2026-11-chunks.md,
/// "Chunks on simulated networks").
constexpr std::int64_t ordered_message_bytes = std::int64_t{1} << 16;
/// Where both passes are cut along the last axis, whose points are contiguous, rows of a chunk are
/// not made shorter: passes load and store whole lines of the cache. Measured: 256x256x256 in
/// natural order between two hosts, whose links nothing limits, took 153 to 167 ms with rows of 256
/// bytes, 166 to 196 with 128 and 210 to 264 with 64 (docs/lab/2026-11-chunks.md, "Rows of
/// chunks").
constexpr std::int64_t least_chunk_row_bytes = 256;
/// The same where links are so many times slower than walks over memory: passes are hidden behind
/// exchanges then, and exchanges gain by more chunks. Measured: between a walk of 32 to 41 GB/s and
/// links of 0.48 GB/s both take as long, within 5%; with 0.62 and 1.2, rows of 64 bytes take 1.3
/// times as long.
constexpr std::int64_t least_chunk_row_bytes_of_slow_links = 64;
constexpr double walks_of_slow_links = 75;

// ---- comparing strategies message by message (choose/ranking)

/// The number of strategies whose every message is looked at, on up to so many ranks. Choices: a
/// strategy takes some milliseconds for 1024 ranks, and a second for 65536.
struct Compared {
  int ranks;
  std::size_t strategies;
};
inline constexpr std::array compared{Compared{512, 64}, Compared{4096, 16}, Compared{65536, 2}};
/// Strategies that are predicted to take up to so many times as long as the fastest are taken for
/// equally fast: plans take the one with the fewest exchanges and passes. A choice: predictions are
/// no more certain than this (docs/machines.md, "What is predicted").
constexpr double equal_predictions = 1.05;
/// Plans compare strategies so for up to so many ranks, and describe() for fewer. Choices: this
/// takes most of a second for 4096 ranks, and 0.1 s for 512.
constexpr int most_ranks_of_compared_plans = 4096, most_ranks_of_described_rivals = 512;

// ---- processors or devices (planning/offload, plan/device_speeds)

/// What a device and its bus have where nothing may be measured, for all of its ranks: PCIe 3 with
/// 16 lanes, of whose 15.8 GB/s each way large copies of registered memory reach 12, and memory
/// that a V100 has, of whose 900 GB/s copies reach 700. By specification, not measured here.
constexpr double nominal_bus_bytes_per_second = 12e9, nominal_device_bytes_per_second = 700e9;
/// What a copy or a kernel takes a device beyond its bytes. A choice: large beside what a launch
/// takes, so that fields stay on processors which take them some microseconds.
constexpr double device_call_seconds = 10e-6;
/// Bytes of a device that a rank leaves to its context on it, and to the tables that say what tiles
/// load and store. A choice: contexts take 300 to 500 MB by what others report, and tables some
/// hundredths of the field. Small devices have small contexts: at most this part, 1 / 8, of what
/// the rank has of it.
constexpr std::int64_t reserved_device_bytes = std::int64_t{512} << 20, reserved_device_divisor = 8;

}  // namespace weft::constants
