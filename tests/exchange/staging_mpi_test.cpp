// exchange/staging: exchanges of programs on the late device move what they move on the processor,
// and nothing else, in whatever order their tasks are submitted and however late copies are.

#include <gtest/gtest.h>
#include <sched.h>

#include <cstring>
#include <memory>

#include "support/random_exchange.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/late.hpp"
#include "weft/exchange/wire.hpp"
#include "weft/making/maker.hpp"

using namespace weft;
using namespace weft::test;

namespace {

using Bytes = std::vector<std::byte>;

std::vector<Bytes> random_bytes(const std::vector<std::int64_t>& sizes, Dice& dice) {
  std::vector<Bytes> buffers;
  for (const std::int64_t size : sizes) {
    buffers.emplace_back(static_cast<std::size_t>(size));
    for (std::byte& byte : buffers.back()) byte = static_cast<std::byte>(dice.between(0, 255));
  }
  return buffers;
}

struct WireTask {
  Wire* wire;
  Task::Kind kind;
  int index;
};

// What several exchanges do, in a random order: but collectives of one in the order of their
// numbers, and receives first now and then.
std::vector<WireTask> tasks_of(const std::vector<ExchangeProgram>& exchanges,
                               const std::vector<std::unique_ptr<Wire>>& wires, Dice& dice) {
  std::vector<WireTask> tasks;
  for (std::size_t e = 0; e < exchanges.size(); ++e) {
    for (std::size_t i = 0; i < exchanges[e].receives.size(); ++i)
      tasks.push_back({wires[e].get(), Task::receive, static_cast<int>(i)});
    for (std::size_t i = 0; i < exchanges[e].sends.size(); ++i)
      tasks.push_back({wires[e].get(), Task::send, static_cast<int>(i)});
    for (std::size_t i = 0; i < exchanges[e].collectives.size(); ++i)
      tasks.push_back({wires[e].get(), Task::collective, static_cast<int>(i)});
  }
  dice.shuffle(tasks);
  for (const auto& wire : wires) {
    int next = 0;
    for (WireTask& task : tasks)
      if (task.wire == wire.get() && task.kind == Task::collective) task.index = next++;
  }
  return tasks;
}

// Takes what a wire has completed; nothing completes twice.
void close_completed(Wire& wire, std::vector<WireTask>& open) {
  for (const Wire::Completion& done : wire.completions())
    EXPECT_EQ(std::erase_if(open,
                            [&](const WireTask& task) {
                              return task.wire == &wire && task.kind == done.kind &&
                                     task.index == done.index;
                            }),
              1U);
  wire.clear();
}

// Runs the exchanges to their ends. `between` is called before every call of a wire.
void run(const std::vector<ExchangeProgram>& exchanges,
         const std::vector<std::unique_ptr<Wire>>& wires, const Addresses& addresses, Dice& dice,
         const std::function<void()>& between) {
  for (const auto& wire : wires) wire->begin(addresses);
  std::vector<WireTask> tasks = tasks_of(exchanges, wires, dice), open = tasks;
  for (int rounds = 0; !open.empty(); ++rounds) {
    while (!tasks.empty() && dice.chance(70)) {
      between();
      tasks.back().wire->submit(tasks.back().kind, tasks.back().index);
      tasks.pop_back();
    }
    for (const auto& wire : wires) {
      between();
      // A wait is for the only exchange, whose tasks are submitted: others could wait for this
      // rank.
      if (tasks.empty() && wires.size() == 1 && dice.chance(50))
        wire->wait();
      else if (dice.chance(50))
        wire->progress();
      else
        wire->progress_sends();
      close_completed(*wire, open);
    }
    if (rounds % 8 == 0) sched_yield();
  }
  for (const auto& wire : wires) EXPECT_TRUE(wire->is_idle());
}

LateDriver::Settings late_devices(std::uint64_t seed) {
  LateDriver::Settings settings;
  settings.seed = static_cast<unsigned>(seed);
  settings.lateness = seed % 2 == 0 ? Lateness::random : Lateness::laziest;
  settings.devices = 2;
  return settings;
}

// Arrays on a device. They are filled and read in a stream that waits for no other one.
class OnDevice {
 public:
  OnDevice(DeviceDriver& driver, int device, const std::vector<std::int64_t>& sizes)
      : driver_(driver), device_(device), sizes_(sizes) {
    driver.select(device);
    stream_ = driver.make_stream(0);
    for (const std::int64_t size : sizes) {
      buffers_.emplace_back(driver, std::max<std::int64_t>(1, size));
      addresses_.push_back(static_cast<std::byte*>(buffers_.back().data()));
    }
  }
  const Addresses& addresses() const { return addresses_; }
  void fill(const std::vector<Bytes>& contents) {
    for (std::size_t b = 0; b < sizes_.size(); ++b)
      copy(addresses_[b], contents[b].data(), sizes_[b]);
    driver_.await(stream_);
  }
  std::vector<Bytes> contents() {
    std::vector<Bytes> contents;
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
      contents.emplace_back(static_cast<std::size_t>(sizes_[b]));
      copy(contents.back().data(), addresses_[b], sizes_[b]);
    }
    driver_.await(stream_);
    return contents;
  }

 private:
  void copy(void* to, const void* from, std::int64_t bytes) {
    driver_.select(device_);
    driver_.copy(stream_, to, from, bytes);
  }

  DeviceDriver& driver_;
  int device_;
  std::vector<std::int64_t> sizes_;
  DeviceStream stream_;
  std::vector<DeviceBuffer> buffers_;
  Addresses addresses_;
};

/// Exchanges that run at the same time, on buffers of these sizes.
struct Exchanges {
  std::vector<ExchangeProgram> programs;
  std::vector<std::int64_t> sizes;
};

std::vector<std::unique_ptr<Wire>> wires_for(const Communicator& comm, const Exchanges& exchanges,
                                             const DeviceMessages* device) {
  std::vector<std::unique_ptr<Wire>> wires;
  for (const ExchangeProgram& program : exchanges.programs)
    wires.push_back(std::make_unique<Wire>(comm, Wire::group(comm, program), program,
                                           std::numeric_limits<int>::max(), device));
  return wires;
}

// Two runs with other contents on the device and on the processor; afterwards all buffers are the
// same in all of their bytes.
void moves_the_same_bytes(const Communicator& comm, const Exchanges& exchanges, std::uint64_t seed,
                          std::int64_t piece_bytes) {
  Dice mine(1000 * seed + static_cast<std::uint64_t>(comm.rank()));
  LateDriver driver(late_devices(seed + static_cast<std::uint64_t>(comm.rank())));
  const int device = comm.rank() % 2;
  OnDevice on_device(driver, device, exchanges.sizes);
  const DeviceMessages messages{{&driver, device}, false, piece_bytes};
  const auto staged = wires_for(comm, exchanges, &messages);
  const auto direct = wires_for(comm, exchanges, nullptr);
  for (int run_number = 0; run_number < 2; ++run_number) {
    std::vector<Bytes> expected = random_bytes(exchanges.sizes, mine);
    on_device.fill(expected);
    run(exchanges.programs, staged, on_device.addresses(), mine,
        [&] { driver.select(1 - device); });
    const std::vector<Bytes> moved = on_device.contents();
    Addresses addresses;
    for (Bytes& buffer : expected) addresses.push_back(buffer.data());
    run(exchanges.programs, direct, addresses, mine, [] {});
    for (std::size_t b = 0; b < moved.size(); ++b)
      EXPECT_TRUE(moved[b] == expected[b]) << "buffer " << b << ", run " << run_number;
  }
}

Exchanges exchanges_of(const Program& program) {
  Exchanges exchanges{program.exchanges, {}};
  for (const BufferSpec& buffer : program.buffers) exchanges.sizes.push_back(buffer.bytes);
  return exchanges;
}

void moves_a_random_field(const Communicator& comm, const ExchangeEntry& entry,
                          std::uint64_t seed) {
  Dice dice(seed);
  const Machine machine = some_machine(dice, comm);
  if (entry.applies({}, machine)) return;
  const Precision precision =
      dice.chance(50) ? Precision::single_precision : Precision::double_precision;
  const Blueprint blueprint =
      random_blueprint(entry, dice, machine, precision, dice.chance(50), 300);
  const auto piece_bytes = dice.pick<std::int64_t>({100, 1000, 1 << 20});
  for (const bool forward : {true, false}) {
    SCOPED_TRACE(fmt::format("{} seed {}, {}: {}, '{}' in pieces of {} bytes", entry.name, seed,
                             forward ? "forward" : "backward", to_string(blueprint.problem),
                             to_string(blueprint.strategy), piece_bytes));
    const Exchanges exchanges = exchanges_of(make_program(blueprint, forward, comm.rank()));
    moves_the_same_bytes(comm, exchanges, seed, piece_bytes);
  }
}

// Messages of these sizes from every rank to the next one, and back.
Exchanges messages_to_neighbours(const Communicator& comm, const std::vector<std::int64_t>& sizes,
                                 ExchangeProgram::SendLimit limit) {
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  ExchangeProgram exchange;
  exchange.element_bytes = 1;
  exchange.send_limit = limit;
  std::int64_t offset = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int tag = static_cast<int>(2 * i);
    exchange.sends.push_back({next, tag, 0, offset, sizes[i], 0});
    exchange.sends.push_back({before, tag + 1, 0, offset, sizes[i], 0});
    exchange.receives.push_back({before, tag, 1, 2 * offset, sizes[i], 0});
    exchange.receives.push_back({next, tag + 1, 1, 2 * offset + sizes[i], sizes[i], 0});
    offset += sizes[i] + 1;
  }
  return {{exchange}, {offset, 2 * offset}};
}

// Every rank sends 3 columns of an array of 4 rows to every rank, which puts them into its rows:
// with columns between them that nobody moves.
Exchanges columns_to_everybody(const Communicator& comm) {
  const std::int64_t rows = 4, columns = 3, row = 5 * comm.size();
  Collective collective;
  collective.method = Collective::alltoallw;
  collective.receive_buffer = 1;
  for (int peer = 0; peer < comm.size(); ++peer) {
    collective.group.push_back(peer);
    Patch part;
    part.box = {{0, 0}, {rows, columns}};
    part.strides = {row, 1};
    part.offset = 5 * peer + 1;
    collective.sends.push_back({peer, 0, rows * columns, {part}});
    part.buffer = 1;
    collective.receives.push_back({peer, 0, rows * columns, {part}});
  }
  ExchangeProgram exchange;
  exchange.element_bytes = 8;
  exchange.by_collectives = true;
  exchange.collectives = {collective};
  return {{exchange}, {rows * row * 8, rows * row * 8}};
}

// Every rank sends 64 bytes to every rank, which receives them where the sent ones of another
// buffer end: in memory that holds one behind the other, both buffers seem to begin at one address.
Exchanges rows_behind_those_sent(const Communicator& comm) {
  const std::int64_t count = 8, sent = count * comm.size();
  Collective collective;
  collective.method = Collective::alltoallw;
  collective.receive_buffer = 1;
  for (int peer = 0; peer < comm.size(); ++peer) {
    collective.group.push_back(peer);
    Patch part;
    part.box = {{0}, {count}};
    part.strides = {1};
    part.offset = count * peer;
    collective.sends.push_back({peer, 0, count, {part}});
    part.buffer = 1;
    part.offset += sent;
    collective.receives.push_back({peer, 0, count, {part}});
  }
  ExchangeProgram exchange;
  exchange.element_bytes = 8;
  exchange.by_collectives = true;
  exchange.collectives = {collective};
  return {{exchange}, {sent * 8, 2 * sent * 8}};
}

}  // namespace

TEST(Staging, moves_what_every_exchange_moves_on_the_processor) {
  const Communicator comm(MPI_COMM_WORLD);
  for (const ExchangeEntry& entry : exchanges())
    for (std::uint64_t seed = 1; seed <= 5; ++seed) moves_a_random_field(comm, entry, seed);
}

TEST(Staging, moves_messages_of_any_size_in_pieces_of_any_size) {
  const Communicator comm(MPI_COMM_WORLD);
  using SendLimit = ExchangeProgram::SendLimit;
  std::uint64_t seed = 0;
  for (const auto limit : {SendLimit::none, SendLimit::of_all, SendLimit::of_each_peer})
    for (const std::int64_t piece_bytes : {16, 1 << 20})
      moves_the_same_bytes(comm, messages_to_neighbours(comm, {0, 1, 15, 16, 17, 100}, limit),
                           ++seed, piece_bytes);
}

// Too large to be sent before it is received.
TEST(Staging, sends_a_large_message_while_its_pieces_are_copied) {
  const Communicator comm(MPI_COMM_WORLD);
  const auto exchanges =
      messages_to_neighbours(comm, {1000003}, ExchangeProgram::SendLimit::of_all);
  moves_the_same_bytes(comm, exchanges, 7, 1 << 16);
}

TEST(Staging, copies_nothing_between_the_rows_of_boxes) {
  const Communicator comm(MPI_COMM_WORLD);
  for (const std::uint64_t seed : {1, 2})
    moves_the_same_bytes(comm, columns_to_everybody(comm), seed, 1 << 20);
}

TEST(Staging, sends_boxes_from_an_address_that_is_not_the_one_they_are_received_at) {
  const Communicator comm(MPI_COMM_WORLD);
  for (const std::uint64_t seed : {1, 2})
    moves_the_same_bytes(comm, rows_behind_those_sent(comm), seed, 1 << 20);
}

TEST(Staging, mirrors_only_what_is_sent_and_received) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(late_devices(1));
  const DeviceMessages device{{&driver, 0}};
  ExchangeProgram exchange;
  exchange.element_bytes = 16;
  exchange.sends = {{0, 0, 0, 1 << 20, 12, 0}};
  exchange.receives = {{0, 0, 3, 1 << 21, 4, 0}};
  const Wire wire(comm, Communicator::alone(), exchange, 1 << 30, &device);
  EXPECT_EQ(wire.staging_bytes(), 256);
  EXPECT_EQ(Wire(comm, Communicator::alone(), exchange).staging_bytes(), 0);
}
