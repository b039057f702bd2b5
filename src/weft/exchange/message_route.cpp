// exchange/message_route: the user's word, what MPI claims, and a trial.

#include "weft/exchange/message_route.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "weft/base/ensure.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/exchange/message_trial.hpp"

namespace weft {

namespace {

constexpr const char* through_processor = "messages go through registered memory of the processor";
constexpr const char* by_mpi = "MPI takes messages from memory of the devices";

// "staged", "direct" or nothing; the same on all ranks.
std::string asked_route(const Communicator& comm) {
  std::string asked;
  require_same(
      comm,
      [&] {
        const char* const word = std::getenv("WEFT_DEVICE_MESSAGES");
        asked = word == nullptr ? "" : word;
        if (!asked.empty() && asked != "staged" && asked != "direct")
          throw Error(Error::invalid, fmt::format("WEFT_DEVICE_MESSAGES is '{}'", asked),
                      "say staged or direct, or omit it");
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

MessageRoute message_route(const Communicator& comm, const std::string& name,
                           const Device& device) {
  if (comm.is_alone()) return {};
  const std::string asked = asked_route(comm);
  if (asked == "direct") return {true, fmt::format("{}: WEFT_DEVICE_MESSAGES=direct", by_mpi)};
  if (asked == "staged")
    return {false, fmt::format("{}: WEFT_DEVICE_MESSAGES=staged", through_processor)};
  if (comm.min(std::int64_t{mpi_claims_devices(name)}) == 0)
    return {false, fmt::format("{}: {} does not claim to take memory of devices", through_processor,
                               mpi_version())};
  const std::string why_not = why_not_direct(comm, *device.driver, device.number);
  if (!why_not.empty()) return {false, fmt::format("{}: {}", through_processor, why_not)};
  return {true, fmt::format("{}: {} claims it, and has done it", by_mpi, mpi_version())};
}

}  // namespace weft
