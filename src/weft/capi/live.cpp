// capi/live: the handles, by their addresses.

#include "weft/capi/live.hpp"

#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "weft/base/ensure.hpp"

namespace weft::capi {

namespace {

struct LiveHandles {
  std::shared_mutex mutex;
  std::unordered_map<const void*, const char*> type_of;
};

// It is never destroyed: programs may free handles when they end.
LiveHandles& live_handles() {
  static LiveHandles& all = *new LiveHandles;
  return all;
}

}  // namespace

void enlist(const void* handle, const char* type) {
  LiveHandles& all = live_handles();
  const std::unique_lock lock(all.mutex);
  all.type_of.emplace(handle, type);
}

void strike_out(const void* handle) noexcept {
  LiveHandles& all = live_handles();
  const std::unique_lock lock(all.mutex);
  all.type_of.erase(handle);
}

void require_live(const void* handle, const char* type, const char* what) {
  LiveHandles& all = live_handles();
  std::string found;
  {
    const std::shared_lock lock(all.mutex);
    const auto at = all.type_of.find(handle);
    // Each type has one text, at one address.
    if (at != all.type_of.end() && at->second == type) return;
    if (at != all.type_of.end()) found = at->second;
  }
  throw Error(Error::invalid,
              found.empty()
                  ? fmt::format("{} is no handle of weft's: it was freed, or never created", what)
                  : fmt::format("{} is a {}, and not a {}", what, found, type),
              "free handles once, after their last use, and give each to functions of its type");
}

}  // namespace weft::capi
