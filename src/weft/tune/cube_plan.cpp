// tune/cube_plan: makes the plan, and reads its stages after each run.

#include "weft/tune/cube_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/comm/agreement.hpp"

namespace weft {

namespace {

constexpr double nano = 1e9;

std::shared_ptr<const Communicator> duplicate_of(const Communicator& comm) {
  Communicator copy = comm.duplicate();
  return agree(comm, [&] { return std::make_shared<const Communicator>(std::move(copy)); });
}

Problem cube_of(std::int64_t points) {
  Problem problem;
  problem.extents = {points, points, points};
  return problem;
}

std::int64_t bytes_of(const Share& share) { return share.elements * share.scalar.bytes(); }

}  // namespace

CubePlan::CubePlan(const Communicator& comm, std::int64_t points, const Options& options)
    : comm_(duplicate_of(comm)), plan_(PlanBody::make_unreported(comm_, cube_of(points), options)) {
  agree(comm, [&] {
    input_ = plan_->allocate(bytes_of(plan_->input()));
    output_ = plan_->allocate(bytes_of(plan_->output()));
  });
}

StageTimes::StageTimes(const CubePlan& cube, int most_runs)
    : cube_(cube), reports_(cube.body().forward_stages().size()) {
  ran_.reserve(reports_ * static_cast<std::size_t>(most_runs));
}

void StageTimes::add_run() {
  for (const StageReport& report : cube_.body().forward_stages())
    ran_.push_back(std::max<std::int64_t>(1, std::llround(nano * report.seconds)));
}

std::vector<StagesRun> StageTimes::all() {
  const Communicator& comm = *cube_.body().comm();
  comm.max_each(ran_);
  return agree(comm, [&] {
    std::vector<StagesRun> stages;
    for (const StageReport& report : cube_.body().forward_stages()) {
      const std::size_t first = stages.empty() ? 0 : stages.back().end;
      const std::size_t number = stages.size();
      StagesRun& ran = stages.emplace_back(StagesRun{first, first + report.stages});
      for (std::size_t run = number; run < ran_.size(); run += reports_)
        ran.seconds.push_back(static_cast<double>(ran_[run]) / nano);
    }
    return stages;
  });
}

}  // namespace weft
