// bench/gpu/device_peers: cuFFT beside weft's kernels, found when the program runs.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "weft/device/driver.hpp"
#include "weft/problem.hpp"

namespace weft::bench {

/// cuFFT's own plan for a whole field of three axes, c2c or r2c, forward.
class CufftPlan {
 public:
  /// Nothing, with the reason, if cuFFT is not here or has no plan.
  static std::unique_ptr<CufftPlan> of(const Problem& problem, std::string& why_not);
  ~CufftPlan();
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  void enqueue(DeviceStream stream, void* source, void* target) const;

 private:
  struct Library;
  CufftPlan(const Library& library, int plan, int type)
      : library_(library), plan_(plan), type_(type) {}

  static const Library* library(std::string& why_not);

  const Library& library_;
  int plan_, type_;
};

}  // namespace weft::bench
