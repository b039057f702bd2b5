// planning/strategy: how a problem is solved, as a value: a list of stages, each of which
// transforms the data where they are or exchanges them. Keeps: print-parse -
// parse_strategy(to_string(s)) == s.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/grid/factorizations.hpp"
#include "weft/grid/view.hpp"
#include "weft/planning/pass_choice.hpp"

namespace weft {

/// Where the field is between two exchanges: on a process grid over the inner axes, or where the
/// problem says that the input starts or the output must end. For an input or output that the
/// problem leaves free, `grid` may have owners without parts: the ranks of slabs along the field's
/// first axis.
struct Place {
  enum Form { on_grid, input, output };
  Form form = on_grid;
  ProcessGrid grid;

  friend bool operator==(const Place&, const Place&) = default;
};

/// The largest number of chunks of an exchange that a user may ask for. Cut along different axes on
/// both sides, 128 chunks have up to 128 x 128 cells, each with its own tag, of the 32768 tags that
/// MPI guarantees. When a plan is made, the tags of all its exchanges are counted.
constexpr int most_chunks = 128;

/// Loads, transforms along `axes` in this order, and stores. Without axes: copies into another
/// layout.
struct PassStage {
  std::vector<int> axes;
  PassChoice choice = {};
  friend bool operator==(const PassStage&, const PassStage&) = default;
};

/// Moves all data to `to` with the exchange named `exchange`, in `chunks` (see planning/chunks).
struct ExchangeStage {
  std::string exchange;
  Place to;
  int chunks = 1;
  friend bool operator==(const ExchangeStage&, const ExchangeStage&) = default;
};

using Stage = std::variant<PassStage, ExchangeStage>;

/// The steps of a plan in the forward direction, the same on every rank. Axes are those of the
/// inner grid: a batch is axis 0, and the field's axes follow; a split axis counts as two.
///
/// As text: "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0"; with chunks "p2p to 1x2x1 in 4";
/// with the ranks of the pieces "p2p to 1x4x1 on 0,0,1,1 in 4"; with choices (planning/pass_choice)
/// "fft 2,1 by fftw,weft in columns".
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

/// Error::invalid, with the part of the text that cannot be parsed.
Strategy parse_strategy(const std::string& text);

/// Whether a pass names an engine, or the library of devices.
bool names_engines(const Strategy& strategy);

/// The strategy without the choices of its passes.
Strategy without_choices(Strategy strategy);

/// The same transforms as devices run them: with one axis a pass, without choices, but for passes
/// by `library` alone, that of the devices, which stay as they are.
Strategy one_axis_a_pass(const Strategy& strategy, const std::string& library = "");

}  // namespace weft
