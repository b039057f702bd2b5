// faces/pruning: reads extents, a factor and a radius.

#include "weft/faces/pruning.hpp"

#include <cmath>
#include <cstdlib>

#include "weft/base/dims_text.hpp"

namespace weft {

namespace {

constexpr double most_padding = 1000;

// A number, or two with a slash between them.
double factor_of(const std::string& name, const std::string& text) {
  const auto number = [&](const std::string& part) {
    char* end = nullptr;
    const double value = std::strtod(part.c_str(), &end);
    return part.empty() || *end != 0 ? std::nan("") : value;
  };
  const std::size_t slash = text.find('/');
  const double factor = slash == std::string::npos
                            ? number(text)
                            : number(text.substr(0, slash)) / number(text.substr(slash + 1));
  if (!(factor >= 1 && factor <= most_padding))
    throw Error(Error::invalid, fmt::format("{} is '{}'", name, text),
                "give a number from 1 to 1000, for example 3/2 or 1.5");
  return factor;
}

}  // namespace

void prune(Problem& problem, const PruningTexts& texts, const std::string& prefix) {
  problem.modes = {};
  problem.support = {};
  problem.cutoff = {};
  if (!texts.cutoff.empty()) {
    if (!texts.modes.empty() || !texts.pad.empty())
      throw Error(Error::invalid,
                  fmt::format("{0}cutoff and {0}{1} both say which waves are kept", prefix,
                              texts.modes.empty() ? "pad" : "modes"),
                  "give one of them");
    char* end = nullptr;
    const double radius = std::strtod(texts.cutoff.c_str(), &end);
    if (*end != 0 || !std::isfinite(radius) || radius < 0)
      throw Error(Error::invalid, fmt::format("{}cutoff is '{}'", prefix, texts.cutoff),
                  "give the radius of the sphere of waves, as 32 for an axis of 128 points");
    problem.cutoff = Cutoff::sphere(radius);
  }
  if (!texts.pad.empty() && !texts.modes.empty())
    throw Error(Error::invalid,
                fmt::format("{0}pad and {0}modes both say how many modes there are", prefix),
                "give one of them");
  if (!texts.modes.empty()) problem.modes = parse_dims(texts.modes, prefix + "modes");
  if (!texts.pad.empty()) {
    // 3/2 of an even number is not rounded up for its last bit.
    constexpr double almost = 1 - 1e-12;
    // Doubles know larger integers in part only.
    constexpr double most_points = 9e15;
    const double factor = factor_of(prefix + "pad", texts.pad);
    problem.modes = problem.extents;
    for (auto& points : problem.extents) {
      const double padded = std::ceil(static_cast<double>(points) * factor * almost);
      if (padded > most_points)
        throw Error(Error::invalid,
                    fmt::format("{} times {} is too large a grid", points, texts.pad),
                    "give smaller extents or a smaller factor");
      points = static_cast<std::int64_t>(padded);
    }
  }
  if (!texts.support.empty())
    problem.support = Box::whole(parse_dims(texts.support, prefix + "support"));
}

}  // namespace weft
