// device/vendor_fft: statuses in words.

#include "weft/device/vendor_fft.hpp"

#include <algorithm>
#include <cctype>

namespace weft {

namespace {

struct Status {
  int number;
  const char* name;
  bool refuses;  // there is no such transform; else something has failed
};
constexpr Status statuses[] = {
    {1, "INVALID_PLAN", false},
    {2, "ALLOC_FAILED", false},
    {3, "INVALID_TYPE", true},
    {4, "INVALID_VALUE", true},
    {5, "INTERNAL_ERROR", false},
    {6, "EXEC_FAILED", false},
    {7, "SETUP_FAILED", false},
    {8, "INVALID_SIZE", true},
    {9, "UNALIGNED_DATA", false},
    {10, "INCOMPLETE_PARAMETER_LIST", false},
    {11, "INVALID_DEVICE", false},
    {12, "PARSE_ERROR", true},  // hipFFT: rocFFT has no such plan
    {13, "NO_WORKSPACE", false},
    {14, "NOT_IMPLEMENTED", true},
    {15, "LICENSE_ERROR", false},
    {16, "NOT_SUPPORTED", true},
    {17, "MISSING_DEPENDENCY", false},
    {18, "NVRTC_FAILURE", false},
    {19, "NVJITLINK_FAILURE", false},
    {20, "NVSHMEM_FAILURE", false},
};

const Status* find_status(int number) {
  const auto* const found = std::ranges::find(statuses, number, &Status::number);
  return found == std::end(statuses) ? nullptr : found;
}

}  // namespace

std::string fft_status(const std::string& library, int status) {
  const Status* const known = find_status(status);
  if (known == nullptr) return fmt::format("status {}", status);
  std::string name;
  for (const char c : library) name += static_cast<char>(std::toupper(c));
  return fmt::format("{}_{} ({})", name, known->name, status);
}

bool fft_refuses(int status) {
  const Status* const known = find_status(status);
  return known != nullptr && known->refuses;
}

}  // namespace weft
