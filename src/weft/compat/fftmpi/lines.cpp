// compat/fftmpi/lines: a plan of one axis for each kind, whose batch are the lines.

#include "weft/compat/fftmpi/lines.hpp"

#include "weft/compat/fftmpi/bricks.hpp"

namespace weft::bricks {

Lines::Lines(const std::vector<Kind>& kinds, Precision precision, int threads) {
  for (const Kind& kind : kinds) {
    if (kind.count == 0) continue;
    Problem problem;
    problem.extents = {kind.length};
    problem.precision = precision;
    problem.batch = kind.count;
    problem.norm = Norm::none;
    problem.in_place = true;
    Options options = usual_options();
    options.threads = threads;
    plans_.push_back(std::make_unique<AnyPlan>(problem, options));
  }
}

void Lines::transform(void* array, bool is_forward, double scale) {
  for (const auto& plan : plans_) {
    const double factor = plan == plans_.back() ? scale : 1;
    if (is_forward)
      plan->forward(array, array, factor);
    else
      plan->backward(array, array, factor);
  }
}

}  // namespace weft::bricks
