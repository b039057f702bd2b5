// capi/lists: what settings can name.

#include <vector>

#include "weft/capi/status.hpp"
#include "weft/device/driver.hpp"
#include "weft/faces/settings.hpp"
#include "weft/fft/engine.hpp"
#include "weft/making/exchange_table.hpp"

using namespace weft::capi;

namespace {

// An entry that keeps its texts.
struct KeptEntry {
  std::string name, summary, note;

  weft_entry shown() const {
    return {name.c_str(), summary.c_str(), note.empty() ? nullptr : note.c_str()};
  }
};

// Entries that stay where they are.
class EntryList {
 public:
  explicit EntryList(std::vector<KeptEntry> kept) : kept_(std::move(kept)) {
    for (const KeptEntry& each : kept_) shown_.push_back(each.shown());
  }
  void tell(int* count, const weft_entry** entries) const {
    given(entries, "the place for the list") = shown_.data();
    given(count, "the place for its length") = static_cast<int>(shown_.size());
  }

 private:
  std::vector<KeptEntry> kept_;
  std::vector<weft_entry> shown_;
};

std::vector<KeptEntry> engine_entries() {
  std::vector<KeptEntry> all;
  for (const weft::EngineEntry& each : weft::engines())
    all.push_back({each.name, each.summary, each.applies().value_or("")});
  for (const weft::DriverEntry& each : weft::device_drivers())
    all.push_back({each.name, each.summary, each.applies().value_or("")});
  return all;
}

std::vector<KeptEntry> exchange_entries() {
  std::vector<KeptEntry> all;
  for (const weft::ExchangeEntry& each : weft::exchanges())
    all.push_back({each.name, each.summary, ""});
  return all;
}

std::vector<KeptEntry> setting_entries() {
  std::vector<KeptEntry> all;
  for (const weft::Setting* each : weft::all_settings()) {
    const std::string value = each->value;
    all.push_back({each->name, each->meaning, value.empty() ? "yes or no" : value});
  }
  return all;
}

}  // namespace

weft_status weft_engines(int* count, const weft_entry** entries) {
  return status_of([&] {
    static const EntryList all(engine_entries());
    all.tell(count, entries);
  });
}

weft_status weft_exchanges(int* count, const weft_entry** entries) {
  return status_of([&] {
    static const EntryList all(exchange_entries());
    all.tell(count, entries);
  });
}

weft_status weft_settings(int* count, const weft_entry** entries) {
  return status_of([&] {
    static const EntryList all(setting_entries());
    all.tell(count, entries);
  });
}
