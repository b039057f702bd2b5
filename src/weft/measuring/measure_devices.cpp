// measuring/measure_devices: hosts measure their devices at the same time, and pairs of ranks come
// one after the other.

#include "weft/measuring/measure_devices.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>

#include "weft/comm/agreement.hpp"
#include "weft/device/device_buffer.hpp"
#include "weft/device/device_queue.hpp"
#include "weft/exchange/device_agreement.hpp"
#include "weft/measuring/device_copies.hpp"

namespace weft {

namespace {

// Of which all pairs are measured: as many as the devices of a usual host.
constexpr std::size_t most_ranks_in_pairs = 8;
// Of a host that are told.
constexpr std::size_t most_devices = 16;

// What a rank tells all others of its devices: plain data.
struct ToldSpeed {
  std::array<char, 96> name{};
  std::array<char, 32> bus{};
  DeviceSpeed::Figures figures;
};
struct ToldSpeeds {
  std::int64_t count = 0;
  std::array<ToldSpeed, most_devices> speeds{};
};

template <std::size_t n>
void put(const std::string& text, std::array<char, n>& into) {
  std::copy_n(text.begin(), std::min(text.size(), n - 1), into.begin());
}

ToldSpeeds measured_here(DeviceDriver& driver, const CopySize& size, const TimeLimit& limit) {
  ToldSpeeds told;
  const int count = std::min(driver.devices(), static_cast<int>(most_devices));
  for (int device = 0; device < count; ++device) {
    const TimeLimit share = limit.part(limit.left() / (count - device));
    const DeviceSpeed speed = measure_device({&driver, device}, size, share);
    ToldSpeed& of = told.speeds.at(static_cast<std::size_t>(told.count++));
    put(speed.name, of.name);
    put(speed.bus, of.bus);
    of.figures = speed.figures;
  }
  return told;
}

std::vector<DeviceSpeed> measure_hosts(const Communicator& comm, const JobFacts& job,
                                       DeviceDriver& driver, const CopySize& size,
                                       const TimeLimit& limit) {
  std::map<int, int> first_of_host;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank)
    first_of_host.try_emplace(job.ranks[rank].host, static_cast<int>(rank));
  const int host = job.ranks[static_cast<std::size_t>(comm.rank())].host;
  const ToldSpeeds mine = agree(comm, [&] {
    return first_of_host[host] == comm.rank() ? measured_here(driver, size, limit) : ToldSpeeds{};
  });
  std::vector<ToldSpeeds> all =
      agree(comm, [&] { return std::vector<ToldSpeeds>(first_of_host.size(), mine); });
  std::size_t number = 0;
  for (const auto& [of, rank] : first_of_host)
    comm.broadcast(&all[number++], static_cast<int>(sizeof(ToldSpeeds)), rank);
  return agree(comm, [&] {
    std::vector<DeviceSpeed> speeds;
    std::size_t at = 0;
    for (const auto& [of, rank] : first_of_host) {
      const ToldSpeeds& told = all[at++];
      for (std::size_t i = 0; i < static_cast<std::size_t>(told.count); ++i)
        speeds.push_back({rank, told.speeds.at(i).name.data(), told.speeds.at(i).bus.data(),
                          told.speeds.at(i).figures});
    }
    return speeds;
  });
}

struct RankPair {
  int first = 0, second = 0;
};

// All pairs of some ranks of the first host that has several.
std::vector<RankPair> pairs_of(const JobFacts& job) {
  std::map<int, std::vector<int>> ranks_of_host;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank)
    ranks_of_host[job.ranks[rank].host].push_back(static_cast<int>(rank));
  std::vector<RankPair> pairs;
  for (auto& [host, ranks] : ranks_of_host) {
    if (!pairs.empty()) break;
    ranks.resize(std::min(ranks.size(), most_ranks_in_pairs));
    for (std::size_t b = 1; b < ranks.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) pairs.push_back({ranks[a], ranks[b]});
  }
  return pairs;
}

// The memory of a rank that others map, and where it copies theirs to.
class PairMemory {
 public:
  PairMemory(const Device& device, std::int64_t bytes)
      : driver_(*device.driver),
        bytes_(bytes),
        given_(driver_, bytes),
        taken_(driver_, bytes),
        queue_(device) {}

  DeviceMemoryHandle handle() const { return driver_.handle_of(given_.data()); }
  /// Bytes per second from the memory of another rank.
  double speed_from(const DeviceMemoryHandle& other, const TimeLimit& limit) {
    const Opened opened(driver_, other);
    const double seconds = seconds_of_copies(limit, [&] {
      driver_.copy(queue_.stream(), taken_.data(), opened.memory, bytes_);
      queue_.mark();
      queue_.await_mark();
    });
    return static_cast<double>(bytes_) / seconds;
  }

 private:
  struct Opened {
    Opened(DeviceDriver& by, const DeviceMemoryHandle& handle)
        : driver(by), memory(by.open(handle)) {}
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    ~Opened() { driver.close(memory); }

    DeviceDriver& driver;
    void* memory;
  };

  DeviceDriver& driver_;
  std::int64_t bytes_;
  DeviceBuffer given_, taken_;
  DeviceQueue queue_;
};

// The handles of the memory of all ranks of pairs, as numbers; empty for other ranks.
std::vector<std::vector<std::int64_t>> handles_of(const Communicator& comm,
                                                  const std::optional<PairMemory>& memory) {
  return comm.gather_all(agree(comm, [&] {
    std::vector<std::int64_t> words;
    if (!memory) return words;
    const DeviceMemoryHandle handle = memory->handle();
    words.resize(handle.bytes.size() / sizeof(std::int64_t));
    std::memcpy(words.data(), handle.bytes.data(), handle.bytes.size());
    return words;
  }));
}

// Fills the speed of a pair, whose second rank measures it; else tells why not. Collective.
std::string measure_pair(const Communicator& comm, std::optional<PairMemory>& memory,
                         const std::vector<std::int64_t>& words, const TimeLimit& limit,
                         DevicePair& pair) {
  std::string failure;
  if (comm.rank() == pair.second)
    if (const auto error = error_of([&] {
          DeviceMemoryHandle handle;
          std::memcpy(handle.bytes.data(), words.data(), handle.bytes.size());
          pair.bytes_per_second = memory->speed_from(handle, limit);
        }))
      failure = error->what();
  comm.broadcast(&pair.bytes_per_second, static_cast<int>(sizeof(double)), pair.second);
  return comm.broadcast(failure, pair.second);
}

void measure_pairs(const Communicator& comm, const JobFacts& job, DeviceDriver& driver,
                   const CopySize& size, const TimeLimit& limit, DeviceMeasurement& found) {
  const auto [hosts, pairs] = agree(comm, [&] {
    std::vector<int> all;
    for (const RankPlace& place : job.ranks) all.push_back(place.host);
    return std::pair(all, pairs_of(job));
  });
  if (pairs.empty()) return;
  const std::vector<RankDevice> devices = agreed_devices(comm, hosts, driver, -1);
  const auto device_of = [&](int rank) { return devices[static_cast<std::size_t>(rank)]; };
  const RankDevice mine = device_of(comm.rank());
  // As many bytes for all as there is memory for.
  const std::int64_t bytes = comm.min(agree(comm, [&] {
    driver.select(mine.number);
    return size.bytes(driver) / mine.ranks;
  }));
  std::optional<PairMemory> memory;
  agree(comm, [&] {
    const bool takes_part = std::ranges::any_of(pairs, [&](const RankPair& pair) {
      return pair.first == comm.rank() || pair.second == comm.rank();
    });
    if (takes_part) memory.emplace(Device{&driver, mine.number}, bytes);
    found.pairs.reserve(pairs.size());
  });
  const auto handles = handles_of(comm, memory);
  auto left = static_cast<int>(pairs.size());
  for (const auto& [first, second] : pairs) {
    DevicePair pair{first, second, device_of(first).number, device_of(second).number, 0};
    const TimeLimit share = limit.part(limit.left() / left--);
    found.why_no_pairs =
        measure_pair(comm, memory, handles[static_cast<std::size_t>(first)], share, pair);
    if (!found.why_no_pairs.empty()) return;
    found.pairs.push_back(pair);
  }
}

}  // namespace

CommonDriver common_driver(const Communicator& comm) {
  CommonDriver common;
  for (std::size_t i = 0; i < device_drivers().size(); ++i) {
    const DriverEntry& entry = device_drivers()[i];
    const auto why_not = agree(comm, [&] { return entry.applies(); });
    // The lowest rank without a device tells why.
    const auto refusing = comm.max(why_not ? std::int64_t{comm.size() - comm.rank()} : 0);
    if (refusing == 0) return {static_cast<int>(i), ""};
    const std::string reason = agree_on_text(comm, static_cast<int>(comm.size() - refusing),
                                             [&] { return why_not.value_or(""); });
    agree(comm, [&] { common.why_none += (i == 0 ? "" : "; ") + entry.name + ": " + reason; });
  }
  return common;
}

DeviceMeasurement measure_devices(const Communicator& comm, const JobFacts& job,
                                  DeviceDriver& driver, std::int64_t most_bytes,
                                  const TimeLimit& limit) {
  const CopySize size{most_bytes, job.spare_bytes};
  DeviceMeasurement found;
  found.speeds = measure_hosts(comm, job, driver, size, limit.part(limit.left() / 2));
  measure_pairs(comm, job, driver, size, limit, found);
  return found;
}

}  // namespace weft
