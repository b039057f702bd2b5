// run/run_array, exchange/node_group: ranks of a node load from each other's source and store to
// each other's target on a device, whatever kinds of memory they were given, as runs do.

#include <gtest/gtest.h>

#include <numeric>

#include "support/joined_node.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/late.hpp"
#include "weft/run/plan_arrays.hpp"

namespace weft {
namespace {

// A number for each rank, every second element; what lies between is nobody's.
constexpr std::int64_t spacing = 2;
constexpr double gap = -1;

ArrayPoints points_for(int ranks) {
  Share share;
  share.boxes = {Box{Dims{0}, Dims{ranks}}};
  share.scalar = Scalar{Precision::double_precision, false};
  share.array = UserArray::strided(share.boxes[0], Dims{spacing});
  share.elements = share.array.elements;
  return ArrayPoints(share);
}

// The kinds of arrays that users have; `pool` is device memory that others cannot map.
enum class Given { device, inside, pool, managed, registered, host };

// One rank's user, who has a source and a target of some kind.
class User {
 public:
  User(LateDriver& driver, Given kind, int ranks)
      : driver_(driver), kind_(kind), stream_(driver.make_stream(0)), ranks_(ranks) {
    for (std::byte*& array : arrays_) array = allocate();
  }
  ~User() {
    for (std::byte* const array : arrays_) free(array);
    driver_.destroy(stream_);
  }
  User(const User&) = delete;
  User& operator=(const User&) = delete;

  std::int64_t bytes() const { return 8 * (spacing * (ranks_ - 1) + 1); }
  std::byte* source() const { return arrays_[0]; }
  std::byte* target() const { return arrays_[1]; }
  // Sets the points of an array to first, first + 1, ... and the rest to the gap.
  void fill(std::byte* array, double first) {
    std::vector<double> all(elements(), gap);
    for (std::size_t i = 0; i < all.size(); i += spacing)
      all[i] = first + static_cast<double>(i / spacing);
    copy(array, all.data());
  }
  std::vector<double> read(std::byte* array) {
    std::vector<double> all(elements());
    copy(all.data(), array);
    return all;
  }

 private:
  static constexpr std::int64_t before = 4096;  // of an array inside an allocation
  std::size_t elements() const { return static_cast<std::size_t>(bytes() / 8); }
  std::byte* allocate() {
    void* array = nullptr;
    if (kind_ == Given::host)
      array = hosts_.emplace_back(elements()).data();
    else if (kind_ == Given::pool)
      array = driver_.allocate_of_pool(bytes());
    else if (kind_ == Given::managed || kind_ == Given::registered)
      array = driver_.allocate(kind(), bytes());
    else
      array = driver_.allocate(Memory::device, bytes() + before);
    return static_cast<std::byte*>(array) + (kind_ == Given::inside ? before : 0);
  }
  void free(std::byte* array) {
    if (kind_ != Given::host)
      driver_.release(kind(), kind_ == Given::inside ? array - before : array);
  }
  Memory kind() const {
    return kind_ == Given::managed      ? Memory::managed
           : kind_ == Given::registered ? Memory::registered
                                        : Memory::device;
  }
  void copy(void* to, const void* from) {
    driver_.copy(stream_, to, from, bytes());
    driver_.await(stream_);
  }

  LateDriver& driver_;
  Given kind_;
  DeviceStream stream_;
  int ranks_;
  std::vector<std::vector<double>> hosts_;
  std::array<std::byte*, 2> arrays_{};
};

// A run in which member i stores, in the target of each member j, what is for j in its own source:
// point j of source i becomes point i of target j. Where i + j is odd, j loads it instead.
class TransposeRun {
 public:
  TransposeRun(NodeGroup& node, LateDriver& driver, PlanArrays& arrays)
      : node_(node),
        driver_(driver),
        arrays_(arrays),
        stream_(driver.make_stream(0)),
        event_(driver.make_event()),
        signals_(node.common(static_cast<std::int64_t>(2 * sizeof(Signal)))) {
    program_.shares_source = program_.shares_target = true;
    arrays_.share(true, true);
  }
  ~TransposeRun() { driver_.destroy(stream_); }
  TransposeRun(const TransposeRun&) = delete;
  TransposeRun& operator=(const TransposeRun&) = delete;

  PlanArrays::OfRun run(const User& user) {
    Call call;
    call.from.data = user.source();
    call.to.data = user.target();
    const PlanArrays::OfRun run = arrays_.of_run(call, program_);
    ++runs_;
    run.source.fill_stand_in(stream_);
    await_stream();  // before others are told that they can load from the source
    const int array = node_.begin_array_exchange();
    node_.publish(array, run.source.shared());
    node_.publish(array + 1, run.target.shared());
    raise_and_await(0);
    const int me = node_.me();
    for (int other = 0; other < node_.size(); ++other) {
      if ((me + other) % 2 == 0)
        copy(at(node_.resolve(other, array + 1), me), at(run.source.data(), other));
      else
        copy(at(run.target.data(), other), at(node_.resolve(other, array), me));
    }
    await_stream();  // before others are told that it is stored
    raise_and_await(1);
    run.target.take_from_stand_in(stream_);
    await_stream();
    return run;
  }

 private:
  static std::byte* at(std::byte* array, int point) { return array + 8 * spacing * point; }
  void copy(void* to, const void* from) { driver_.copy(stream_, to, from, 8); }
  void await_stream() {
    driver_.record(stream_, event_);
    driver_.await(event_);
  }
  void raise_and_await(int which) {
    Signal& signal = reinterpret_cast<Signal*>(signals_.get())[which];
    const auto all = runs_ * static_cast<std::uint32_t>(node_.size());
    node_.count(signal, all);
    while (!node_.check_reached(signal, all)) node_.wait_briefly(&signal, all);
  }

  NodeGroup& node_;
  LateDriver& driver_;
  PlanArrays& arrays_;
  DeviceStream stream_;
  DeviceEvent event_;
  std::shared_ptr<std::byte> signals_;
  Program program_;
  std::uint32_t runs_ = 0;
};

class DeviceArrays : public testing::Test {
 protected:
  DeviceArrays()
      : whole_(MPI_COMM_WORLD), rank_(whole_.rank()), ranks_(whole_.size()), driver_(settings()) {
    driver_.select(device().number);
    node_.emplace(whole_, std::vector<int>(static_cast<std::size_t>(ranks_)), device());
    PlanArrays::Spec spec;
    const ArrayPoints points = points_for(ranks_);
    spec.input = spec.output = {8 * (spacing * (ranks_ - 1) + 1), points};
    spec.device = device();
    arrays_.emplace(spec);
  }
  Device device() { return {&driver_, rank_ % 2}; }
  LateDriver::Settings settings() const {
    LateDriver::Settings settings;
    settings.seed = static_cast<unsigned>(rank_) + 7;
    settings.lateness = rank_ % 2 == 0 ? Lateness::laziest : Lateness::random;
    settings.devices = 2;
    return settings;
  }
  // Runs with arrays of `kind`, and checks the target, the source and what lies between.
  void run_and_check(TransposeRun& transpose, Given kind, int round) {
    User user(driver_, kind, ranks_);
    user.fill(user.source(), 1000 * round + 100 * rank_);
    user.fill(user.target(), 7);
    const PlanArrays::OfRun run = transpose.run(user);
    EXPECT_EQ(run.source.is_copied(), kind != Given::device && kind != Given::inside);
    const auto target = user.read(user.target());
    for (int i = 0; i < ranks_; ++i)
      EXPECT_EQ(target[static_cast<std::size_t>(spacing * i)], 1000 * round + 100 * i + rank_)
          << "from rank " << i << ", kind " << static_cast<int>(kind);
    for (std::size_t i = 1; i < target.size(); i += spacing) EXPECT_EQ(target[i], gap);
    EXPECT_EQ(user.read(user.source())[0], 1000 * round + 100 * rank_) << "the source stays";
    whole_.barrier();
  }

  const Communicator whole_;
  int rank_, ranks_;
  LateDriver driver_;
  std::optional<test::JoinedNode> node_;
  std::optional<PlanArrays> arrays_;
};

TEST_F(DeviceArrays, of_every_kind_are_worked_on_by_all_ranks) {
  TransposeRun transpose(*node_, driver_, *arrays_);
  int round = 0;
  for (const Given kind : {Given::device, Given::inside, Given::pool, Given::managed,
                           Given::registered, Given::host, Given::device})
    run_and_check(transpose, kind, ++round);
}

TEST_F(DeviceArrays, may_be_of_another_kind_on_each_rank_and_in_each_run) {
  TransposeRun transpose(*node_, driver_, *arrays_);
  for (int round = 0; round < 6; ++round)
    run_and_check(transpose, static_cast<Given>((rank_ + 5 * round) % 6), round);
}

TEST_F(DeviceArrays, leave_nothing_on_the_device_when_stand_ins_are_freed) {
  {
    TransposeRun transpose(*node_, driver_, *arrays_);
    run_and_check(transpose, Given::host, 1);
    EXPECT_GT(arrays_->stand_in_bytes(), 0);
    arrays_->free_stand_ins();
  }
  EXPECT_EQ(driver_.free_bytes(), settings().memory_bytes);
}

}  // namespace
}  // namespace weft
