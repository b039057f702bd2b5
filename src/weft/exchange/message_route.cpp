// exchange/message_route: the user's word, what MPI claims, and trials.

#include "weft/exchange/message_route.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <span>

#include "weft/base/ensure.hpp"
#include "weft/base/fingerprint.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/exchange/message_trial.hpp"

namespace weft {

namespace {

constexpr const char* through_processor = "messages go through registered memory of the processor";
constexpr const char* by_mpi = "MPI takes messages from memory of the devices";

// The name of a route, or nothing; the same on all ranks. Loads the library that may be taken.
std::string asked_route(const Communicator& comm, const std::string& driver) {
  std::string asked;
  require_same(
      comm,
      [&] {
        const char* const word = std::getenv("WEFT_DEVICE_MESSAGES");
        asked = word == nullptr ? "" : word;
        if (!asked.empty() && asked != "staged" && asked != "direct" && asked != "nccl")
          throw Error(Error::invalid, fmt::format("WEFT_DEVICE_MESSAGES is '{}'", asked),
                      "say staged, direct or nccl, or omit it");
        if (asked.empty() || asked == "nccl") nccl_library(driver);
        return asked;
      },
      "way of messages (WEFT_DEVICE_MESSAGES)");
  return asked;
}

// Whether MPI has a function of this name, which answers yes.
bool answers_yes(const char* name) {
  const auto query = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
  return query != nullptr && query() == 1;
}

// MPICH's function for any kind of device.
bool mpich_supports(int kind) {
  const auto query =
      reinterpret_cast<int (*)(int, int*)>(dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support"));
  int is_supported = 0;
  return query != nullptr && query(kind, &is_supported) == 0 && is_supported != 0;
}

// What a route is asked for, and by whom.
struct Question {
  const Communicator& comm;
  const std::string& driver;
  const Device& device;
  bool is_asked;    // by name: nobody asks whether it works
  bool has_thread;  // of weft's, which makes progress
};

// The number of a rank that shares its device with a rank before it; -1: there is none.
std::int64_t second_on_a_device(const Communicator& comm, const Device& device) {
  std::int64_t mine = 0;
  agree(comm, [&] { mine = fingerprint(device.driver->traits(device.number).bus)[0]; });
  const Communicator& here = comm.on_this_machine();
  const std::vector<std::int64_t> all = here.gather_each(mine);
  bool is_second = false;
  for (int rank = 0; rank < here.rank(); ++rank)
    is_second = is_second || all[static_cast<std::size_t>(rank)] == mine;
  return comm.max(is_second ? std::int64_t{comm.rank()} : std::int64_t{-1});
}

// Why the library cannot be used by all ranks, the same on all of them. Empty if it can.
std::string why_no_library(const Communicator& comm, const NcclLibrary& library) {
  const auto missing = error_of([&] {
    agree(comm, [&] {
      if (library.functions == nullptr)
        throw Error(Error::unsupported,
                    fmt::format("on rank {}, {}", comm.rank(), library.why_not));
    });
  });
  if (missing) return agree(comm, [&] { return missing->message(); });
  const std::int64_t version = library.version, least = comm.min(version), most = comm.max(version);
  if (least == most) return {};
  return agree(comm, [&] {
    return fmt::format("ranks find different versions of {}: {} and {}", library.name, least, most);
  });
}

// Each takes a route, or returns why it cannot. They are collective, and so are texts, for which
// one rank alone may lack memory.
std::string take_direct(const Question& question, MessageRoute& route) {
  const auto& [comm, driver, device, is_asked, has_thread] = question;
  if (!is_asked && comm.min(std::int64_t{mpi_claims_devices(driver)}) == 0)
    return agree(comm, [] { return mpi_version() + " does not claim to take memory of devices"; });
  std::string why_not = is_asked ? "" : why_not_direct(comm, *device.driver, device.number);
  if (!why_not.empty()) return why_not;
  agree(comm, [&] {
    route = {true, nullptr,
             fmt::format("{}: {} claims it, and has done it", by_mpi, mpi_version())};
  });
  return {};
}

std::string take_nccl(const Question& question, MessageRoute& route) {
  const Communicator& comm = question.comm;
  const NcclLibrary& library = nccl_library(question.driver);
  if (library.name.empty())
    return agree(comm, [] { return std::string("there is no NCCL for such devices"); });
  if (std::string why_not = why_no_library(comm, library); !why_not.empty()) return why_not;
  const std::int64_t second = second_on_a_device(comm, question.device);
  if (second >= 0)
    return agree(comm, [&] {
      return fmt::format("{} takes one rank a device, and rank {} shares that of another rank",
                         library.name, second);
    });
  if (!question.is_asked && !question.has_thread)
    return agree(comm, [&] {
      return fmt::format(
          "{} is taken with Progress::by_thread, or WEFT_DEVICE_MESSAGES=nccl where no call of the "
          "application waits for a device while transforms are under way",
          library.text());
    });
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  const auto failure = error_of([&] {
    route.channel = std::make_shared<NcclChannel>(comm, library, question.device);
    for (const std::int64_t bytes : {64, 1 << 20})
      route.channel->try_messages(comm, {next}, {before}, bytes);
  });
  if (failure) {
    route.channel.reset();
    return agree(comm, [&] { return failure->message(); });
  }
  agree(comm, [&] {
    route.text = fmt::format(
        "messages go from device to device by {}, whose trial has succeeded; those of a transform "
        "that is under way at the same time as one of another plan, through registered memory",
        library.text());
  });
  return {};
}

std::string take_staged(const Question& /*question*/, MessageRoute& /*route*/) { return {}; }

// Those that there are, one after the other.
std::string joined(std::span<const std::string> refusals) {
  std::string all;
  for (const std::string& one : refusals)
    if (!one.empty()) all += (all.empty() ? "" : "; ") + one;
  return all;
}

// The routes, in order of preference.
struct Row {
  const char* name;
  std::string (*take)(const Question& question, MessageRoute& route);
};
constexpr std::array<Row, 3> routes{
    {{"direct", take_direct}, {"nccl", take_nccl}, {"staged", take_staged}}};

}  // namespace

// The functions are not called where they are declared, as they are found in some MPIs only.
bool mpi_claims_devices(const std::string& driver) {
  constexpr int mpich_cuda = 0, mpich_hip = 2;
  if (driver == "cuda") return answers_yes("MPIX_Query_cuda_support") || mpich_supports(mpich_cuda);
  if (driver == "hip")
    return answers_yes("MPIX_Query_rocm_support") || answers_yes("MPIX_Query_hip_support") ||
           mpich_supports(mpich_hip);
  return false;
}

MessageRoute message_route(const Communicator& comm, const std::string& name, const Device& device,
                           bool has_thread) {
  if (comm.is_alone()) return {};
  const std::string asked = asked_route(comm, name);
  std::array<std::string, routes.size()> refusals;
  for (std::size_t r = 0; r < routes.size(); ++r) {
    const Row& row = routes.at(r);
    // Of a library that no such device has, nobody is told who has not asked.
    const bool is_known = row.take != take_nccl || !nccl_library(name).name.empty();
    if (asked.empty() ? !is_known : asked != row.name) continue;
    MessageRoute route;
    refusals.at(r) = row.take({comm, name, device, !asked.empty(), has_thread}, route);
    if (!refusals.at(r).empty() && !asked.empty())
      throw Error(Error::unsupported,
                  fmt::format("messages cannot go by {}: {}", asked, refusals.at(r)),
                  "omit WEFT_DEVICE_MESSAGES, or say staged");
    if (!refusals.at(r).empty()) continue;
    agree(comm, [&] {
      if (row.take == take_staged) route.text = through_processor;
      if (!asked.empty())
        route.text =
            fmt::format("{}: WEFT_DEVICE_MESSAGES={}", route.direct ? by_mpi : route.text, asked);
      else if (row.take == take_staged)
        route.text += ": " + joined(refusals);
    });
    return route;
  }
  return {};
}

}  // namespace weft
