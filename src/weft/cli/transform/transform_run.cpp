// cli/transform/transform_run: reads, transforms and writes, and tells how long each takes.

#include "weft/cli/transform/transform_run.hpp"

#include "weft/any_plan.hpp"
#include "weft/base/trace.hpp"
#include "weft/cli/verify.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/files/array_file.hpp"

namespace weft::cli {

namespace {

// Measures seconds between calls of lap(), on the slowest rank.
class Stopwatch {
 public:
  explicit Stopwatch(const Communicator& comm) : comm_(comm) {}
  double lap() {
    const double seconds = comm_.max(now() - begin_);
    begin_ = now();
    return seconds;
  }

 private:
  const Communicator& comm_;
  double begin_ = now();
};

using Memory = std::shared_ptr<std::byte>;

Memory allocate(const Communicator& comm, const AnyPlan& plan, const Share& share) {
  return agree(comm, [&] { return plan.allocate(share.elements * share.scalar.bytes()); });
}

std::string verdict_text(const Verdict& verdict) {
  return fmt::format("error {:.1e} of the largest value, at {} points that were summed directly",
                     verdict.error, verdict.points);
}

}  // namespace

void run_transform(const TransformArguments& arguments, const Surroundings& here) {
  const Communicator& comm = here.comm;
  Stopwatch watch(comm);
  here.console.start_activity("checking the files");
  const ArrayPath input = ArrayPath::of(arguments.input), output = ArrayPath::of(arguments.output);
  const ArrayHeader header = agreed_header(comm, input);
  const TransformJob job = transform_job(arguments.request, header, arguments.input);
  const Options options = plan_options(arguments.given);
  agree(comm, [&] {
    if (comm.rank() == 0) require_writable(output);
  });
  here.console.say(fmt::format("input:    {}: {}", arguments.input, to_string(header)));

  here.console.start_activity("planning");
  AnyPlan plan(comm.handle(), job.problem, options);
  const Share& from = job.backward ? plan.output() : plan.input();
  const Share& to = job.backward ? plan.input() : plan.output();
  here.console.say(plan.describe(Detail::all));
  if (job.backward) here.console.say("(executed backward, as the inverse)");
  const double plan_seconds = watch.lap();
  const Memory source = allocate(comm, plan, from), target = allocate(comm, plan, to);
  watch.lap();

  here.console.start_activity("reading");
  read_array(comm, input, header, boxes_of(from, source.get(), header.is_fortran));
  const double read_seconds = watch.lap();

  here.console.start_activity("transforming");
  if (job.backward)
    plan.backward(source.get(), target.get());
  else
    plan.forward(source.get(), target.get());
  const double transform_seconds = watch.lap();

  if (arguments.verifies) {
    here.console.start_activity("verifying");
    const Verdict verdict =
        verify(comm, plan.problem(), job.backward, {from, source.get()}, {to, target.get()});
    if (!(verdict.error <= verdict.limit))
      throw Error(Error::system,
                  fmt::format("the result is wrong: {}; the limit is {:.0e}", verdict_text(verdict),
                              verdict.limit),
                  "no file was written; try another --exchange or --engine, and report this error");
    here.console.say("verified: " + verdict_text(verdict));
    watch.lap();
  }

  here.console.start_activity("writing");
  ArrayHeader written = job.output;
  written.is_fortran = header.is_fortran && output.format == FileFormat::npy;
  write_array(comm, output, written, boxes_of(to, target.get(), header.is_fortran));
  const double write_seconds = watch.lap();
  here.console.say(fmt::format("seconds:  plan {:.3g}, read {:.3g}, transform {:.3g}, write {:.3g}",
                               plan_seconds, read_seconds, transform_seconds, write_seconds));
  here.console.say(fmt::format("output:   {}: {}", arguments.output, to_string(written)));
}

}  // namespace weft::cli
