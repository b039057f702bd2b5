// measuring/bus_peak: rates, and how many of the bits that are sent are data.

#include "weft/measuring/bus_peak.hpp"

#include <cctype>
#include <fstream>
#include <sstream>

namespace weft {

namespace {

// Of the bits that are sent: 8 of 10 up to generation 2, 128 of 130 up to 5, 242 of 256 in 6.
double part_of_data(double giga_transfers) {
  if (giga_transfers <= 5) return 0.8;
  return giga_transfers <= 32 ? 128.0 / 130 : 242.0 / 256;
}

std::string first_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

}  // namespace

double bus_peak_of(const std::string& rate, const std::string& lanes) {
  double giga_transfers = 0, count = 0;
  std::string unit;
  std::istringstream(rate) >> giga_transfers >> unit;
  std::istringstream(lanes) >> count;
  if (unit != "GT/s" || !(giga_transfers > 0) || !(count > 0) || count > 32) return 0;
  return giga_transfers * 1e9 / 8 * count * part_of_data(giga_transfers);
}

double bus_peak(const std::string& address) {
  std::string folder = "/sys/bus/pci/devices/";
  for (const char letter : address)
    folder += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return bus_peak_of(first_line(folder + "/max_link_speed"),
                     first_line(folder + "/max_link_width"));
}

}  // namespace weft
