// measuring/bus_peak: what the PCI bus carries to a device at most.
#pragma once

#include <string>

namespace weft {

/// Bytes per second each way over a PCI Express link, by the rate and the number of lanes as Linux
/// tells them: "32.0 GT/s PCIe" and "16". 0 for other texts.
double bus_peak_of(const std::string& rate, const std::string& lanes);

/// The same for the device at this address of the bus, "0000:1b:00.0"; 0 if Linux does not tell.
double bus_peak(const std::string& address);

}  // namespace weft
