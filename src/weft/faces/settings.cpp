// faces/settings: the table, and the functions that read its texts.

#include "weft/faces/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "weft/choose/checked_options.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/faces/kinds.hpp"
#include "weft/faces/pruning.hpp"
#include "weft/problem/problem_text.hpp"

namespace weft {

namespace {

// A text, and what errors call its setting.
struct Given {
  std::string name, text;

  [[noreturn]] void refuse(const std::string& hint) const {
    throw Error(Error::invalid, fmt::format("{} is '{}'", name, text), hint);
  }
  std::int64_t integer(std::int64_t least, std::int64_t most) const {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [next, status] = std::from_chars(text.data(), end, value);
    const std::string hint = fmt::format("give an integer from {} to {}", least, most);
    if (status != std::errc{} || next != end) refuse(hint);
    if (value < least || value > most)
      throw Error(Error::invalid, fmt::format("{} is {}", name, value), hint);
    return value;
  }
  int small_integer(int least, int most) const { return static_cast<int>(integer(least, most)); }
  std::int64_t size() const { return integer(0, std::int64_t{1} << 50); }
  double number() const {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || !std::isfinite(value)) refuse("give a number");
    return value;
  }
  bool is_on() const {
    if (text == "yes" || text == "no") return text == "yes";
    refuse("give yes or no");
  }
  Dims grid() const {
    const Dims grid = parse_dims(text, name);
    for (const auto count : grid)
      if (count < 1) refuse(fmt::format("{} ranks along an axis: give at least 1", count));
    return grid;
  }
  Distribution::Form form(bool may_be_same) const {
    const Distribution::Form form = parse_form(text);
    if (form == Distribution::boxes || (form == Distribution::same && !may_be_same))
      throw Error(Error::invalid, fmt::format("{} cannot be '{}'", name, text),
                  fmt::format("one of: free, {}slab, pencil, brick", may_be_same ? "same, " : ""));
    return form;
  }
  Precision precision() const {
    for (const Precision one : {Precision::single_precision, Precision::double_precision})
      if (text == to_string(one)) return one;
    throw Error(Error::invalid, fmt::format("there is no precision '{}'", text),
                "one of: single, double");
  }
};

// A problem, and the texts that are read when its extents are known.
struct ProblemDraft {
  Problem problem;
  std::string kind = "c2c", axes;
  PruningTexts pruning;
  Dims grid;
};

struct ProblemSetting : Setting {
  void (*set)(ProblemDraft& draft, const Given& given);
};
struct OptionSetting : Setting {
  void (*set)(Options& options, const Given& given);
};

const ProblemSetting of_problems[] = {
    {{"extents", "EXTENTS", "points per axis, for example 256x256x256"},
     [](ProblemDraft& draft, const Given& given) {
       draft.problem.extents = parse_dims(given.text, given.name);
     }},
    {{"kind", "KIND", fmt::format("what is computed: {} (default c2c)", kinds_text)},
     [](ProblemDraft& draft, const Given& given) { draft.kind = given.text; }},
    {{"axes", "0,1,2",
      "the axes that are transformed; negative numbers count from the end (default: all)"},
     [](ProblemDraft& draft, const Given& given) { draft.axes = given.text; }},
    {{"norm", "NORM", "backward (default), ortho or forward, as in NumPy; or none (no scaling)"},
     [](ProblemDraft& draft, const Given& given) { draft.problem.norm = parse_norm(given.text); }},
    {{"modes", "EXTENTS",
      "keep the coefficients that a grid of so many points has, as 170x170x170, and leave out the "
      "others (default: all)"},
     [](ProblemDraft& draft, const Given& given) { draft.pruning.modes = given.text; }},
    {{"pad", "F",
      "EXTENTS are the modes, and the grid has F times as many points along every axis, rounded "
      "up: 3/2 against aliases of products, or another number from 1"},
     [](ProblemDraft& draft, const Given& given) { draft.pruning.pad = given.text; }},
    {{"cutoff", "R",
      "keep the waves k with |k| <= R, counted per edge of the grid of three axes, as columns "
      "(default: all): plane-wave codes keep up to a fourth of the points of an axis"},
     [](ProblemDraft& draft, const Given& given) { draft.pruning.cutoff = given.text; }},
    {{"support", "EXTENTS",
      "in real space the field is zero, and not stored, beyond the first points, as 64x64x64 "
      "(default: nowhere)"},
     [](ProblemDraft& draft, const Given& given) { draft.pruning.support = given.text; }},
    {{"precision", "WORD", "double (default) or single"},
     [](ProblemDraft& draft, const Given& given) { draft.problem.precision = given.precision(); }},
    {{"in-place", "", "the output uses the memory of the input"},
     [](ProblemDraft& draft, const Given& given) { draft.problem.in_place = given.is_on(); }},
    {{"batch", "N", "number of fields that one plan transforms (default 1)"},
     [](ProblemDraft& draft, const Given& given) {
       draft.problem.batch = given.integer(0, std::int64_t{1} << 50);
     }},
    {{"input", "FORM",
      "distribution of the input: free (default: the planner chooses), slab, pencil or brick"},
     [](ProblemDraft& draft, const Given& given) { draft.problem.input.form = given.form(false); }},
    {{"output", "FORM",
      "distribution of the output: free (default: where the last pass leaves it), same (natural "
      "order, distributed as the input), slab, pencil or brick"},
     [](ProblemDraft& draft, const Given& given) { draft.problem.output.form = given.form(true); }},
};

const OptionSetting of_options[] = {
    {{"exchange", "NAME", "how data move between ranks; `weft exchanges` lists the names"},
     [](Options& options, const Given& given) { options.exchange = given.text; }},
    {{"engine", "NAME",
      "the local FFT library, or the driver of devices that compute; `weft engines` lists the "
      "names; `fastest` predicts which of the two is faster"},
     [](Options& options, const Given& given) { options.engine = given.text; }},
    {{"device", "N",
      "the device that a rank uses, of those that its process sees (default -1: the ranks of a "
      "node share its devices)"},
     [](Options& options, const Given& given) {
       options.device = given.small_integer(-1, 1 << 20);
     }},
    {{"device-memory-limit", "BYTES",
      "bytes of its device's memory that a rank may use; larger fields stay in memory of the "
      "processor and stream through the device (default 0: what the device has)"},
     [](Options& options, const Given& given) { options.device_memory_limit = given.size(); }},
    {{"decomposition", "FORM",
      "form of all stages: slab, pencil or brick (default free: the planner chooses)"},
     [](Options& options, const Given& given) { options.decomposition = given.form(false); }},
    {{"grid", "AxB",
      "process grid of the stages, and of inputs and outputs in pencils or bricks (default: the "
      "planner chooses)"},
     [](Options& options, const Given& given) { options.grid = given.grid(); }},
    {{"use-ranks", "R",
      "number of ranks that compute, for a field that is too small for all ranks; they are on as "
      "few nodes as possible (default 0: all ranks)"},
     [](Options& options, const Given& given) {
       options.ranks = given.small_integer(-(1 << 30), 1 << 30);
     }},
    {{"effort", "WORD",
      "how engines choose code and plans choose how to run passes: estimate (immediately), measure "
      "(with trial runs, or as `weft tune` has found) or tune (with races of whole plans, whose "
      "result is remembered)"},
     [](Options& options, const Given& given) { options.effort = parse_effort(given.text); }},
    {{"tune-seconds", "S", "how long races with the effort tune take, about (default 10)"},
     [](Options& options, const Given& given) { options.tune_seconds = given.number(); }},
    {{"reproducible", "",
      "make no choice by trial runs, whatever the effort is: every run gives the same bits"},
     [](Options& options, const Given& given) { options.reproducible = given.is_on(); }},
    {{"arrays", "WORD",
      "whose arrays are transformed: weft (its own, default) or any (memory of the application's)"},
     [](Options& options, const Given& given) {
       if (given.text != "weft" && given.text != "any") given.refuse("one of: weft, any");
       options.arrays = given.text == "any" ? Arrays::any : Arrays::of_weft;
     }},
    {{"huge-pages", "", "large arrays of the application's get huge pages (default yes)"},
     [](Options& options, const Given& given) { options.huge_pages = given.is_on(); }},
    {{"threads", "T",
      "number of threads of each rank (default 0: the cores on which it may run, divided by the "
      "ranks "
      "that share them)"},
     [](Options& options, const Given& given) {
       options.threads = given.small_integer(0, most_threads);
     }},
    {{"strategy", "TEXT",
      "use this strategy, in the form in which weft prints strategies; 'from 4x1x1 on 0,0,1,1' "
      "also gives the rank of each piece"},
     [](Options& options, const Given& given) { options.strategy = given.text; }},
    {{"chunks", "K",
      "number of chunks of each exchange; the transfer of one chunk overlaps with the computation "
      "of others (default 0: the planner chooses; 1: no overlap)"},
     [](Options& options, const Given& given) {
       options.chunks = given.small_integer(0, most_chunks);
     }},
    {{"segment-bytes", "BYTES",
      "the exchange node cuts messages between nodes into segments of so many bytes or more "
      "(default 0: 65536)"},
     [](Options& options, const Given& given) { options.segment_bytes = given.size(); }},
    {{"in-flight", "N",
      "number of transforms of a plan that can be under way together, each of its own field "
      "(default 1)"},
     [](Options& options, const Given& given) {
       options.in_flight = given.small_integer(1, 1024);
     }},
    {{"progress", "WORD",
      "what makes MPI progress while a transform runs: inline (calls of weft only), tiles (also "
      "passes, between tiles), thread (also a thread of weft) or automatic (default: as `weft "
      "tune` has found, else tiles)"},
     [](Options& options, const Given& given) { options.progress = parse_progress(given.text); }},
    {{"node-size", "R", "pretend that each node has R ranks; 1,3 for nodes of different sizes"},
     [](Options& options, const Given& given) {
       options.pretend.node_sizes = parse_node_sizes(given.text, given.name);
     }},
    {{"cache-bytes", "BYTES",
      "pretend that a core has so much cache to itself (default 0: the truth)"},
     [](Options& options, const Given& given) { options.pretend.cache_bytes = given.size(); }},
    {{"shared-cache-bytes", "BYTES",
      "pretend that so much of the cores' shared cache is a rank's (default 0: the truth)"},
     [](Options& options, const Given& given) {
       options.pretend.shared_cache_bytes = given.size();
     }},
    {{"eager-message-bytes", "BYTES",
      "pretend that MPI sends smaller messages without asking the receiver (default 0: 65536)"},
     [](Options& options, const Given& given) {
       options.pretend.eager_message_bytes = given.size();
     }},
};

// The row of `table` with this name; null if there is none.
template <class Row>
const Row* row_in(std::span<const Row> table, std::string_view name) {
  for (const Row& row : table)
    if (name == row.name) return &row;
  return nullptr;
}

// Names of the program have hyphens, and those of languages underscores.
std::string with_hyphens(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

// Calls set of each setting of `table` that has a text. All names are looked at.
template <class Row, class Target>
void set_all(std::span<const Row> table, Target& target, const SettingTexts& texts,
             const std::string& prefix) {
  for (const auto& [name, text] : texts) {
    const std::string known = find_setting(name).name;
    // A command line has EXTENTS without a name.
    const std::string shown = known == "extents" && !prefix.empty() ? "EXTENTS" : prefix + known;
    if (const Row* row = row_in(table, known)) row->set(target, {shown, text});
  }
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace

std::span<const Setting* const> all_settings() {
  static const std::vector<const Setting*> all = [] {
    std::vector<const Setting*> rows;
    for (const Setting& row : of_problems) rows.push_back(&row);
    for (const Setting& row : of_options) rows.push_back(&row);
    return rows;
  }();
  return all;
}

const Setting& find_setting(const std::string& name) {
  std::string names;
  for (const Setting* row : all_settings()) {
    if (with_hyphens(name) == row->name) return *row;
    names += (names.empty() ? "" : ", ") + std::string(row->name);
  }
  throw Error(Error::invalid, fmt::format("there is no setting '{}'", name), "one of: " + names);
}

bool is_of_problem(const std::string& name) {
  return row_in<ProblemSetting>(of_problems, find_setting(name).name) != nullptr;
}

SettingTexts parse_settings(const std::string& text) {
  SettingTexts texts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(";\n", at), text.size());
    const std::string one = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (one.empty()) continue;
    const std::size_t equals = one.find('=');
    const std::string name = find_setting(trimmed(one.substr(0, equals))).name;
    const std::string value = equals == std::string::npos ? "yes" : trimmed(one.substr(equals + 1));
    if (!texts.emplace(name, value).second)
      throw Error(Error::invalid, fmt::format("{} is there twice", name), "give it once");
  }
  return texts;
}

Problem problem_of(const SettingTexts& texts, const std::string& prefix) {
  ProblemDraft draft;
  set_all<ProblemSetting>(of_problems, draft, texts, prefix);
  Problem& problem = draft.problem;
  if (problem.extents.empty())
    throw Error(Error::invalid, "there are no extents", "give the points per axis, as 64x64x64");
  const Dims grid = options_of(texts, prefix).grid;
  for (Distribution* side : {&problem.input, &problem.output})
    if (side->form == Distribution::pencil || side->form == Distribution::brick) side->grid = grid;
  prune(problem, draft.pruning, prefix);
  const std::vector<int> axes = parse_axes(prefix + "axes", draft.axes, problem.extents);
  if (!draft.axes.empty()) problem.axes = axes;
  set_kind(problem, draft.kind, axes, {});
  validated(problem);
  return problem;
}

Options options_of(const SettingTexts& texts, const std::string& prefix) {
  Options options;
  set_all<OptionSetting>(of_options, options, texts, prefix);
  return options;
}

}  // namespace weft
