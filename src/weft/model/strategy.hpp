// model/strategy: the chosen answer as a value - where the data lie, stage by stage, and what is
// transformed there.
// Keeps: print-parse - parse_strategy(to_string(s)) == s.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/grid/process_grid.hpp"
#include "weft/grid/view.hpp"

namespace weft {

/// Where the field lies between exchanges: on a process grid over the inner axes, or where the
/// problem says that its input starts or its output must end. Where the problem leaves that free,
/// `grid` may have no parts but owners: the ranks of slabs along the field's first axis.
struct Place {
  enum Form { on_grid, input, output };
  Form form = on_grid;
  ProcessGrid grid;

  friend bool operator==(const Place&, const Place&) = default;
};

/// Along one axis on both sides they make up to 128 x 128 cells, each with a tag of its own. MPI
/// promises 32768 tags; whether they do for all exchanges is seen when a strategy is bound.
constexpr int most_chunks = 128;

/// Load, transform along `axes` in this order, store. Without axes: a copy into another layout.
struct PassStage {
  std::vector<int> axes;
  friend bool operator==(const PassStage&, const PassStage&) = default;
};

/// Move everything to `to` with the exchange named `exchange`, cut into `chunks` (see
/// model/chunks).
struct ExchangeStage {
  std::string exchange;
  Place to;
  int chunks = 1;
  friend bool operator==(const ExchangeStage&, const ExchangeStage&) = default;
};

using Stage = std::variant<PassStage, ExchangeStage>;

/// A plan's answer, the same on every rank. Axes are those of the inner grid: a batch is axis 0
/// and the field's axes follow; a split axis counts as two.
///
/// In words: "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0"; with chunks "p2p to 1x2x1 in 4",
/// with the ranks of the pieces "p2p to 1x4x1 on 0,0,1,1 in 4".
struct Strategy {
  std::string engine;
  std::optional<AxisSplit> split;
  Place from;
  std::vector<Stage> stages;

  friend bool operator==(const Strategy&, const Strategy&) = default;
};

std::string to_string(const Place& place);
std::string to_string(const Stage& stage);
std::string to_string(const Strategy& strategy);

/// Error::invalid, with the part that was not understood.
Strategy parse_strategy(const std::string& text);

}  // namespace weft
