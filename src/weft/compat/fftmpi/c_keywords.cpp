// compat/fftmpi/c_keywords: tables of the names.

#include "weft/compat/fftmpi/c_keywords.hpp"

#include <string>

namespace FFTMPI_NS {

namespace {

template <class Member>
struct Named {
  std::string_view name;
  Member WeftFft::*member;
};

constexpr Named<int> settable[] = {
    {"collective", &WeftFft::collective}, {"exchange", &WeftFft::exchange},
    {"pack", &WeftFft::packflag},         {"memory", &WeftFft::memoryflag},
    {"scale", &WeftFft::scaled},          {"remaponly", &WeftFft::remaponly},
};
constexpr Named<int> ints[] = {
    {"collective", &WeftFft::collective}, {"exchange", &WeftFft::exchange},
    {"pack", &WeftFft::packflag},         {"npfast1", &WeftFft::npfast1},
    {"npfast2", &WeftFft::npfast2},       {"npfast3", &WeftFft::npfast3},
    {"npmid1", &WeftFft::npmid1},         {"npmid2", &WeftFft::npmid2},
    {"npmid3", &WeftFft::npmid3},         {"npslow1", &WeftFft::npslow1},
    {"npslow2", &WeftFft::npslow2},       {"npslow3", &WeftFft::npslow3},
    {"npbrick1", &WeftFft::npbrick1},     {"npbrick2", &WeftFft::npbrick2},
    {"npbrick3", &WeftFft::npbrick3},     {"ntrial", &WeftFft::ntrial},
    {"npertrial", &WeftFft::npertrial},
};
constexpr Named<int[10]> int_lists[] = {
    {"cflags", &WeftFft::cflags}, {"eflags", &WeftFft::eflags}, {"pflags", &WeftFft::pflags}};
constexpr Named<double[10]> double_lists[] = {
    {"tfft", &WeftFft::tfft},       {"t1d", &WeftFft::t1d},         {"tremap", &WeftFft::tremap},
    {"tremap1", &WeftFft::tremap1}, {"tremap2", &WeftFft::tremap2}, {"tremap3", &WeftFft::tremap3},
    {"tremap4", &WeftFft::tremap4},
};

template <class Table>
auto* found(const Table& table, std::string_view keyword) {
  for (const auto& entry : table)
    if (entry.name == keyword) return &entry;
  return static_cast<decltype(&*std::begin(table))>(nullptr);
}

}  // namespace

void set_by_name(WeftFft& fft, std::string_view keyword, int value) {
  if (const auto* const entry = found(settable, keyword)) fft.*(entry->member) = value;
}

int int_by_name(const WeftFft& fft, std::string_view keyword) {
  const auto* const entry = found(ints, keyword);
  return entry ? fft.*(entry->member) : -1;
}

double double_by_name(const WeftFft& fft, std::string_view keyword) {
  return keyword == "setuptime" ? fft.setuptime : -1;
}

std::int64_t int64_by_name(const WeftFft& fft, std::string_view keyword) {
  return keyword == "memusage" ? fft.memusage : -1;
}

const char* string_by_name(const WeftFft& fft, std::string_view keyword, int* length) {
  const char* const text = keyword == "fft1d"       ? fft.fft1d
                           : keyword == "precision" ? fft.precision
                                                    : nullptr;
  if (length) *length = text ? static_cast<int>(std::string_view(text).size()) : 0;
  return text;
}

int* ints_by_name(WeftFft& fft, std::string_view keyword, int* length) {
  if (length) *length = fft.ntrial;
  const auto* const entry = found(int_lists, keyword);
  return entry ? fft.*(entry->member) : nullptr;
}

double* doubles_by_name(WeftFft& fft, std::string_view keyword, int* length) {
  if (length) *length = fft.ntrial;
  const auto* const entry = found(double_lists, keyword);
  return entry ? fft.*(entry->member) : nullptr;
}

}  // namespace FFTMPI_NS
