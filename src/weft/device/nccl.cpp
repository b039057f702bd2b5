// device/nccl: looks for the libraries and their functions.

#include "weft/device/nccl.hpp"

#include <dlfcn.h>

#include <iterator>
#include <map>
#include <mutex>
#include <type_traits>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// Both libraries call their functions the same.
struct Vendor {
  const char* driver;
  const char* name;
  const char* file;
};
constexpr Vendor vendors[] = {{"cuda", "NCCL", "libnccl.so.2"}, {"hip", "RCCL", "librccl.so.1"}};

// Versions from 2.9 on have five digits.
std::string version_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

// The name of a function that the library does not have; null if it has all.
const char* find_functions(void* library, NcclFunctions& functions) {
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr && missing == nullptr) missing = name;
  };
  find(functions.find_version, "ncclGetVersion");
  find(functions.make_id, "ncclGetUniqueId");
  find(functions.initialize, "ncclCommInitRankConfig");
  find(functions.count_ranks, "ncclCommCount");
  find(functions.give_up, "ncclCommAbort");
  find(functions.find_state, "ncclCommGetAsyncError");
  find(functions.text_of, "ncclGetErrorString");
  find(functions.begin_group, "ncclGroupStart");
  find(functions.end_group, "ncclGroupEnd");
  find(functions.send, "ncclSend");
  find(functions.receive, "ncclRecv");
  return missing;
}

// Tells what its functions are, or why they cannot be used.
void take_functions(NcclLibrary& library, const NcclFunctions* functions) {
  int version = 0;
  if (const int result = functions->find_version(&version); result != NcclFunctions::success) {
    library.why_not =
        fmt::format("{} does not tell its version: {}", library.name, functions->text_of(result));
    return;
  }
  library.version = version;
  if (version < NcclFunctions::least_version)
    library.why_not =
        fmt::format("{} {} is too old: {} is needed", library.name, version_text(version),
                    version_text(NcclFunctions::least_version));
  else
    library.functions = functions;
}

NcclLibrary loaded(const Vendor& vendor, NcclFunctions& functions) {
  NcclLibrary library;
  library.name = vendor.name;
  void* const handle = dlopen(vendor.file, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    library.why_not = fmt::format("{} ({}) is not installed", vendor.name, vendor.file);
  else if (const char* const missing = find_functions(handle, functions))
    library.why_not = fmt::format("{} is too old: it has no {}", vendor.name, missing);
  else
    take_functions(library, &functions);
  return library;
}

// Those that somebody has asked for, by driver.
std::map<std::string, NcclLibrary>& libraries() {
  static std::map<std::string, NcclLibrary> all;
  return all;
}

}  // namespace

std::string NcclLibrary::text() const {
  return functions == nullptr ? why_not : fmt::format("{} {}", name, version_text(version));
}

const NcclLibrary& nccl_library(const std::string& driver) {
  static std::mutex one_at_a_time;
  static NcclFunctions functions[std::size(vendors)];
  const std::scoped_lock lock(one_at_a_time);
  if (const auto found = libraries().find(driver); found != libraries().end()) return found->second;
  NcclLibrary& library = libraries()[driver];
  for (std::size_t i = 0; i < std::size(vendors); ++i)
    if (driver == vendors[i].driver) library = loaded(vendors[i], functions[i]);
  return library;
}

void pretend_nccl(const std::string& driver, const NcclFunctions* functions) {
  NcclLibrary& library = libraries()[driver] = {};
  if (functions == nullptr) return;
  library.name = "NCCL";
  take_functions(library, functions);
}

}  // namespace weft
