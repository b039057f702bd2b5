// cli/problem_options: converts command-line options to weft::Problem.

#include "weft/cli/problem_options.hpp"

#include <CLI/CLI.hpp>

#include <numeric>

#include "weft/base/ensure.hpp"
#include "weft/cli/kinds.hpp"
#include "weft/cli/pruning.hpp"

namespace weft::cli {

namespace {

Precision parse_precision(const std::string& text) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision})
    if (text == to_string(precision)) return precision;
  throw Error(Error::invalid, fmt::format("there is no precision '{}'", text),
              "one of: single, double");
}

Distribution parse_distribution(const std::string& text, const char* option, bool may_be_same,
                                const Dims& grid) {
  Distribution distribution;
  distribution.form = parse_form(text);
  if (distribution.form == Distribution::boxes ||
      (distribution.form == Distribution::same && !may_be_same))
    throw Error(Error::invalid, fmt::format("{} cannot be '{}'", option, text),
                fmt::format("one of: free, {}slab, pencil, brick", may_be_same ? "same, " : ""));
  if (distribution.form == Distribution::pencil || distribution.form == Distribution::brick)
    distribution.grid = grid;
  return distribution;
}

}  // namespace

void add_extents(CLI::App& app, ProblemArguments& a) {
  app.add_option("EXTENTS", a.extents, "points per axis, for example 256x256x256")
      ->required()
      ->type_name("");
}

void add_problem_options(CLI::App& app, ProblemArguments& a) {
  app.add_option("--kind", a.kind,
                 "what is computed: " + std::string(kinds_text) + " (default c2c)")
      ->type_name("KIND");
  app.add_option("--modes", a.modes,
                 "keep the coefficients that a grid of so many points has, as 170x170x170, and "
                 "leave out the others (default: all)")
      ->type_name("EXTENTS");
  app.add_option("--pad", a.pad,
                 "EXTENTS are the modes, and the grid has F times as many points along every axis, "
                 "rounded up: 3/2 against aliases of products, or another number from 1")
      ->type_name("F");
  app.add_option("--cutoff", a.cutoff,
                 "keep the waves k with |k| <= R, counted per edge of the grid of three axes, as "
                 "columns (default: all): plane-wave codes keep up to a fourth of the points of an "
                 "axis")
      ->type_name("R");
  app.add_option("--support", a.support,
                 "in real space the field is zero, and not stored, beyond the first points, as "
                 "64x64x64 (default: nowhere)")
      ->type_name("EXTENTS");
  app.add_option("--precision", a.precision, "double (default) or single")->type_name("WORD");
  app.add_flag("--in-place", a.in_place, "the output uses the memory of the input");
  app.add_option("--batch", a.batch, "number of fields that one plan transforms (default 1)")
      ->type_name("N");
  app.add_option("--input", a.input,
                 "distribution of the input: free (default: the planner chooses), slab, pencil or "
                 "brick")
      ->type_name("FORM");
  app.add_option("--output", a.output,
                 "distribution of the output: free (default: where the last pass leaves it), same "
                 "(natural order, distributed as the input), slab, pencil or brick")
      ->type_name("FORM");
}

std::vector<Problem> problems_of(const ProblemArguments& arguments, const Dims& grid) {
  Problem problem;
  problem.precision = parse_precision(arguments.precision);
  problem.batch = arguments.batch;
  problem.in_place = arguments.in_place;
  problem.input = parse_distribution(arguments.input, "--input", false, grid);
  problem.output = parse_distribution(arguments.output, "--output", true, grid);
  std::vector<Problem> all;
  for (const std::string& text : arguments.extents) {
    problem.extents = parse_dims(text, "EXTENTS");
    prune(problem, {arguments.modes, arguments.pad, arguments.support, arguments.cutoff});
    std::vector<int> axes(static_cast<std::size_t>(problem.extents.size()));
    std::iota(axes.begin(), axes.end(), 0);
    set_kind(problem, arguments.kind, axes, {});
    validated(problem);
    all.push_back(problem);
  }
  return all;
}

}  // namespace weft::cli
