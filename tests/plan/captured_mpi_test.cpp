// plan/captured: transforms that the application captures in a graph, against direct sums, with
// other runs between launches; and what cannot be captured, which leaves the capture as it is. The
// device is the late one, whose captures allow what those of CUDA do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/device/driver.hpp"
#include "weft/device/late.hpp"
#include "weft/device/late_fft.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using test::body_of;
using test::error_text;
using test::of;
using test::quick;
using test::rank_of_world;
using test::ranks_of_world;
using test::WholeField;
using testing::HasSubstr;

LateDriver& late() { return dynamic_cast<LateDriver&>(find_driver("late").get()); }

// A stream of the application's, on device 0.
class Stream {
 public:
  Stream() {
    late().select(0);
    stream_ = late().make_stream(0);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    late().select(0);
    late().await(stream_);
    late().destroy(stream_);
  }
  Options options(const std::string& engine = "late") const {
    Options options = quick();
    options.engine = engine;
    options.device = 0;
    options.stream = stream_.handle;
    return options;
  }
  template <class Body>
  LateDriver::Graph captured(const Body& body) const {
    late().select(0);
    late().begin_capture(stream_);
    body();
    return late().end_capture(stream_);
  }
  void launch(const LateDriver::Graph& graph) const {
    late().select(0);
    late().launch_graph(stream_, graph);
  }
  void copy(void* to, const void* from, std::int64_t bytes) const {
    late().select(0);
    late().copy(stream_, to, from, bytes);
    late().await(stream_);
  }

 private:
  DeviceStream stream_;
};

std::int64_t bytes_of(const Share& share) { return share.elements * share.scalar.bytes(); }

// The arrays of a plan in memory of one kind; in place, one for both sides.
struct Sides {
  std::int64_t bytes;
  std::shared_ptr<std::byte> in, out;

  Sides(const AnyPlan& plan, Memory kind)
      : bytes(std::max(bytes_of(plan.input()), bytes_of(plan.output()))),
        in(plan.allocate(bytes, kind)),
        out(plan.problem().in_place ? in : plan.allocate(bytes, kind)) {}
};

void put(const Stream& stream, const Share& share, std::byte* array,
         const std::vector<WholeField>& fields) {
  std::vector<std::byte> here(static_cast<std::size_t>(bytes_of(share)));
  test::for_each_point(share, share.fields, [&](std::int64_t f, const Dims& at, std::int64_t e) {
    test::put(here.data(), share.scalar, e, fields[static_cast<std::size_t>(f)][at]);
  });
  stream.copy(array, here.data(), bytes_of(share));
}

// The largest error of what an array holds; of `factor` times the fields.
long double error_of(const Stream& stream, const Share& share, const std::byte* array,
                     const std::vector<WholeField>& fields, long double factor = 1) {
  std::vector<std::byte> here(static_cast<std::size_t>(bytes_of(share)));
  stream.copy(here.data(), array, bytes_of(share));
  long double error = 0;
  test::for_each_point(share, share.fields, [&](std::int64_t f, const Dims& at, std::int64_t e) {
    const long double off = std::abs(test::get(here.data(), share.scalar, e) -
                                     factor * fields[static_cast<std::size_t>(f)][at]);
    if (!(off <= error)) error = off;
  });
  return error;
}

constexpr long double tolerance = 1e-11L;

// Graphs there and back, launched three times with other data; between them, a run with other
// arrays, another scale and data of its own.
void expect_right_launches(const Problem& problem, Memory kind, const std::string& engine) {
  const Stream stream;
  AnyPlan plan(problem, stream.options(engine));
  EXPECT_EQ(engine != "late", plan.report().strategy.find("by " + engine) != std::string::npos);
  const Share &in = plan.input(), &out = plan.output();
  const Sides mine(plan, kind), others(plan, Memory::device);
  if (kind == Memory::registered) {  // which are copied to memory that a run allocates
    plan.forward(mine.in.get(), mine.out.get());
    plan.backward(mine.out.get(), mine.in.get());
  }
  const auto there = stream.captured([&] { plan.forward(mine.in.get(), mine.out.get(), 2); });
  const auto back = stream.captured([&] { plan.backward(mine.out.get(), mine.in.get()); });
  const auto& asked = plan.problem();
  const bool to_real = asked.kind == Kind::c2r;
  for (const std::uint64_t seed : {31, 32, 33}) {
    const test::Reference &reference = test::known_reference(asked, seed),
                          &other = test::known_reference(asked, seed + 10);
    const auto &start = to_real ? reference.spectrum : reference.space,
               &goal = to_real ? reference.space : reference.spectrum;
    put(stream, in, mine.in.get(), start);
    stream.launch(there);
    EXPECT_LT(error_of(stream, out, mine.out.get(), goal, 2), tolerance) << seed;
    put(stream, in, others.in.get(), to_real ? other.spectrum : other.space);
    plan.forward(others.in.get(), others.out.get(), 3);
    stream.launch(back);
    EXPECT_LT(error_of(stream, in, mine.in.get(), start, 2), tolerance) << seed;
    EXPECT_LT(error_of(stream, out, others.out.get(), to_real ? other.space : other.spectrum, 3),
              tolerance)
        << seed;
  }
}

// What a run says while the stream is captured; the capture stays valid, and nothing is in it.
template <class Run>
std::string refusal_in_capture(const Stream& stream, const Run& run) {
  std::string text;
  EXPECT_TRUE(stream.captured([&] { text = error_text(run); }).empty());
  return text;
}

}  // namespace

// By weft's kernels, and by the vendor's library, which works in memory of the plan.
TEST(Captured, is_launched_again_and_again) {
  if (ranks_of_world() > 1) return;
  late().give_fft(std::make_unique<LateFft>(late(), LateFft::Settings{}));
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const bool in_place : {false, true})
      for (const Memory memory : {Memory::device, Memory::managed, Memory::registered}) {
        SCOPED_TRACE(fmt::format("{} {} {}", to_string(kind), in_place, to_string(memory)));
        Problem problem = of({6, 5, 8}, kind);
        problem.in_place = in_place;
        problem.batch = memory == Memory::managed ? 3 : 1;
        for (const char* const engine : {"late", "latefft"})
          expect_right_launches(problem, memory, engine);
      }
  late().give_fft(nullptr);
}

// Of one graph: with kernels of the application's before and between, and each in a slot of its
// own.
TEST(Captured, is_in_order_with_what_else_is_captured) {
  if (ranks_of_world() > 1) return;
  const Stream stream;
  Options options = stream.options();
  options.in_flight = 2;
  AnyPlan plan(of({4, 6}), options);
  const Sides mine(plan, Memory::device);
  const auto saved = plan.allocate(mine.bytes, Memory::device);
  int called = 0;
  const auto graph = stream.captured([&] {
    const DeviceStream own{options.stream};
    late().copy(own, mine.in.get(), saved.get(), mine.bytes);
    Ticket there = plan.start_forward(mine.in.get(), mine.out.get());
    EXPECT_TRUE(there.test());  // it is over
    there.then([&] { ++called; });
    late().zero(own, mine.in.get(), mine.bytes);
    Ticket back = plan.start_backward(mine.out.get(), mine.in.get());
    back.wait();
    late().zero(own, mine.out.get(), mine.bytes);
  });
  EXPECT_EQ(called, 1);
  const test::Reference& reference = test::known_reference(plan.problem(), 5);
  put(stream, plan.input(), saved.get(), reference.space);
  for (int times = 0; times < 3; ++times) {
    stream.launch(graph);
    EXPECT_LT(error_of(stream, plan.input(), mine.in.get(), reference.space), tolerance);
    stream.copy(mine.in.get(), mine.out.get(), mine.bytes);  // zeros
  }
}

TEST(Captured, is_refused_on_all_ranks_if_there_are_several) {
  if (ranks_of_world() == 1) return;
  const std::string why = fmt::format(
      "a graph cannot capture this transform: {} ranks start it together", ranks_of_world());
  const Stream stream;
  {
    AnyPlan plan(MPI_COMM_WORLD, of({6, 5, 8}), stream.options());
    const Sides mine(plan, Memory::device);
    const auto run = [&] { plan.forward(mine.in.get(), mine.out.get()); };
    run();
    EXPECT_THAT(refusal_in_capture(stream, run), HasSubstr(why));
    run();  // the plan is sound
  }
  // If one rank alone captures, the others learn of it. Never freed, as MPI may still use it.
  auto& plan = *new AnyPlan(MPI_COMM_WORLD, of({6, 5, 8}), stream.options());
  auto& mine = *new Sides(plan, Memory::device);
  const auto run = [&] { plan.forward(mine.in.get(), mine.out.get()); };
  const std::string text = rank_of_world() == 0 ? refusal_in_capture(stream, run) : error_text(run);
  EXPECT_THAT(text, HasSubstr(why));
  if (rank_of_world() != 0) {
    EXPECT_THAT(text, HasSubstr("rank 0 refused to start run 1 of this plan"));
  }
}

TEST(Captured, is_refused_where_the_processor_has_a_part_in_it) {
  if (ranks_of_world() > 1) return;
  const Stream stream;
  Options options = stream.options();
  AnyPlan plan(of({6, 5, 8}), options);
  const Sides here(plan, Memory::host), registered(plan, Memory::registered);
  const auto run = [](AnyPlan& of, const Sides& with) {
    of.forward(with.in.get(), with.out.get());
  };
  EXPECT_THAT(refusal_in_capture(stream, [&] { run(plan, here); }),
              HasSubstr("a graph cannot copy an array in memory of the processor that is not"));
  EXPECT_THAT(refusal_in_capture(stream, [&] { run(plan, registered); }),
              HasSubstr("run the plan with arrays of this kind once before the capture begins"));
  options.device_memory_limit = 6 * 300;
  AnyPlan streamed(of({24, 13, 11}), options);
  const Sides large(streamed, Memory::registered);
  EXPECT_THAT(refusal_in_capture(stream, [&] { run(streamed, large); }),
              HasSubstr("its data stream through the device, tile by tile"));
  run(streamed, large);
  run(plan, here);
  run(plan, registered);
  EXPECT_FALSE(stream.captured([&] { run(plan, registered); }).empty());
  EXPECT_THAT(refusal_in_capture(stream,
                                 [&] {
                                   AnyPlan(of({8, 8}), options);
                                 }),
              HasSubstr("make plans before a capture begins"));
}

TEST(Captured, is_refused_in_a_capture_that_is_invalid) {
  if (ranks_of_world() > 1) return;
  const Stream stream;
  AnyPlan plan(of({6, 5, 8}), stream.options());
  const Sides mine(plan, Memory::device);
  std::string text;
  EXPECT_THROW(static_cast<void>(stream.captured([&] {
                 EXPECT_THROW(late().await(DeviceStream{stream.options().stream}), Error);
                 text = error_text([&] { plan.forward(mine.in.get(), mine.out.get()); });
               })),
               Error);
  EXPECT_THAT(text, HasSubstr("the capture of the stream that was given is invalid"));
  plan.forward(mine.in.get(), mine.out.get());
}

// Each has a table of addresses for good; the same ones again have the same.
TEST(Captured, is_refused_after_so_many_different_arrays) {
  if (ranks_of_world() > 1) return;
  const Stream stream;
  AnyPlan plan(of({4, 6}), stream.options());
  const Sides mine(plan, Memory::device);
  const auto many = plan.allocate(70 * mine.bytes, Memory::device);
  const auto run = [&](int number) {
    plan.forward(mine.in.get(), many.get() + number * mine.bytes);
  };
  std::vector<LateDriver::Graph> graphs;
  for (int number = 0; number < 63; ++number)
    for (int times = 0; times < 2; ++times) graphs.push_back(stream.captured([&] { run(number); }));
  graphs.push_back(stream.captured([&] { run(63); }));
  EXPECT_THAT(refusal_in_capture(stream, [&] { run(64); }),
              HasSubstr("the plan has been captured with 64 different arrays"));
  const test::Reference& reference = test::known_reference(plan.problem(), 7);
  put(stream, plan.input(), mine.in.get(), reference.space);
  for (const int number : {62, 0, 31}) {
    stream.launch(graphs[2 * static_cast<std::size_t>(number) + 1]);
    EXPECT_LT(error_of(stream, plan.output(), many.get() + number * mine.bytes, reference.spectrum),
              tolerance);
  }
}

// Its copies back would otherwise be part of the graph, and never happen.
TEST(Captured, is_not_what_was_under_way_before) {
  if (ranks_of_world() > 1) return;
  const Stream stream;
  AnyPlan plan(of({6, 5, 8}), stream.options());
  const Sides mine(plan, Memory::registered);
  Ticket ticket = plan.start_forward(mine.in.get(), mine.out.get());
  EXPECT_THAT(refusal_in_capture(stream, [&] { ticket.wait(); }),
              HasSubstr("a capture of the stream has begun while a transform is under way"));
  EXPECT_THAT(error_text([&] { plan.forward(mine.in.get(), mine.out.get()); }),
              HasSubstr("an earlier run of this plan failed on the way"));
}

// Runs in streams of their own go on while another stream is captured, and leave it as it is.
TEST(Captured, does_not_concern_plans_in_other_streams) {
  if (ranks_of_world() > 2) return;
  const Stream stream;
  Options options = stream.options();
  options.stream = nullptr;
  AnyPlan plan(MPI_COMM_WORLD, of({6, 5, 8}), options);
  const test::Reference& reference = test::known_reference(plan.problem(), 3);
  const auto run = [&] { return test::check_plan(plan, reference); };
  EXPECT_FALSE(run());
  EXPECT_TRUE(stream.captured([&] { EXPECT_FALSE(run()); }).empty());
}

TEST(Captured, tells_what_a_launch_copies_and_no_times) {
  if (ranks_of_world() > 1) return;
  const Stream stream;
  AnyPlan plan(of({6, 5, 8}), stream.options());
  const Sides mine(plan, Memory::registered);
  body_of(plan).record_runs();
  const auto run = [&] { plan.forward(mine.in.get(), mine.out.get()); };
  const auto spans = [&] { return body_of(plan).stream_spans(true).size(); };
  run();
  EXPECT_GT(spans(), 0U);
  const auto graph = stream.captured(run);
  EXPECT_EQ(spans(), 0U);
  const RunReport report = plan.report().forward;
  EXPECT_EQ(report.runs, 2);
  EXPECT_EQ(report.copied_bytes, 2 * mine.bytes);
  for (const StageReport& stage : report.stages) EXPECT_EQ(stage.seconds, 0);
  stream.launch(graph);
  run();
  EXPECT_GT(spans(), 0U);
}

}  // namespace weft
