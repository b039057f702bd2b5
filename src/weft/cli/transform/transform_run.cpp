// cli/transform/transform_run: reads, transforms and writes, and tells how long each takes.

#include "weft/cli/transform/transform_run.hpp"

#include "weft/any_plan.hpp"
#include "weft/base/trace.hpp"
#include "weft/cli/output_file.hpp"
#include "weft/cli/verify.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/file.hpp"
#include "weft/comm/mpi_comm.hpp"

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

// Every rank reads the header itself, because the path may lead to another file on another node.
NpyHeader read_header(const Communicator& comm, const std::string& path) {
  const auto read = [&] { return parse_npy(file_head(path), path); };
  const NpyHeader header = agree(comm, [&] {
    if (comm.rank() == 0) return read();
    return with_context([&] { return fmt::format("reading the file on rank {}", comm.rank()); },
                        read);
  });
  require_same(
      comm, [&] { return to_string(header); }, "input file");
  return header;
}

FileArray array_in_file(const NpyHeader& header) {
  return {header.data_start_bytes, header.c_extents(), header.scalar.bytes()};
}

std::vector<FilePart> parts_of(const Share& share) {
  std::vector<FilePart> parts;
  for (std::size_t i = 0; i < share.boxes.size(); ++i)
    parts.push_back({share.boxes[i], share.array.layouts[i], share.array.offsets[i]});
  return parts;
}

using Memory = std::shared_ptr<std::byte>;

Memory allocate(const Communicator& comm, const AnyPlan& plan, const Share& share) {
  return agree(comm, [&] { return plan.allocate(share.elements * share.scalar.bytes()); });
}

void read_share(const Communicator& comm, const std::string& path, const NpyHeader& header,
                const Share& share, const Memory& memory) {
  File file(comm, path, File::reading);
  const std::int64_t bytes = file.size_bytes();
  // Ranks may see a file that grows differently.
  agree(comm, [&] {
    if (bytes != header.file_bytes())
      throw Error(Error::io, fmt::format("'{}' changed while weft was planning", path),
                  "start again when no other program writes the file");
  });
  file.read(array_in_file(header), parts_of(share), memory.get());
  file.close();
  if (header.is_big_endian)
    swap_bytes(memory.get(), share.elements * (share.scalar.is_complex ? 2 : 1),
               share.scalar.precision);
}

void write_share(const Communicator& comm, const std::string& path, NpyHeader header,
                 const Share& share, const Memory& memory) {
  const std::string head = write_npy(header);
  OutputFile output(comm, path, head, header.file_bytes());
  File file(comm, output.temporary_path(), File::writing);
  file.write(array_in_file(header), parts_of(share), memory.get());
  file.close();
  output.publish();
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
  const NpyHeader header = read_header(comm, arguments.input);
  const TransformJob job = transform_job(arguments.request, header, arguments.input);
  const Options options = plan_options(arguments.given);
  agree(comm, [&] {
    if (comm.rank() == 0) require_writable(arguments.output);
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
  read_share(comm, arguments.input, header, from, source);
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
  write_share(comm, arguments.output, job.output, to, target);
  const double write_seconds = watch.lap();
  here.console.say(fmt::format("seconds:  plan {:.3g}, read {:.3g}, transform {:.3g}, write {:.3g}",
                               plan_seconds, read_seconds, transform_seconds, write_seconds));
  here.console.say(fmt::format("output:   {}: {}", arguments.output, to_string(job.output)));
}

}  // namespace weft::cli
