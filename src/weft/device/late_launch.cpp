// device/late_launch: the kernels of late devices.

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/device/kernels.hpp"
#include "weft/device/late.hpp"
#include "weft/device/late_block.hpp"
#include "weft/device/line_kernel.hpp"

namespace weft {

namespace {

template <class Real>
LateBody body_of_lines(const void* arguments) {
  return [copied = *static_cast<const LineArguments<Real>*>(arguments)](const LateGroup& group,
                                                                        std::byte* /*shared*/) {
    device_lanes::run_lines(group, copied);
  };
}

LateBody body_of(const KernelLaunch& launch) {
  switch (static_cast<DeviceKernel>(launch.kernel)) {
    case DeviceKernel::lines_single:
      return body_of_lines<float>(launch.arguments);
    case DeviceKernel::lines_double:
      return body_of_lines<double>(launch.arguments);
  }
  ensure(false, launch.kernel);
  return {};
}

// The addresses of what a kernel of lines begins and ends with, tile by tile and part by part.
template <class Real, class Visit>
void visit_ends(const LineArguments<Real>& arguments, const Visit& visit) {
  const LineForm form = arguments.shape.form;
  const auto visit_part = [&](const LinePart& part, bool is_real, bool is_mapped) {
    const std::byte* const buffer = arguments.buffers[part.buffer];
    if (is_mapped) return visit(buffer);
    const std::int64_t bytes = (is_real ? 1 : 2) * static_cast<std::int64_t>(sizeof(Real));
    const std::int64_t last =
        part.far + (part.points - 1) * part.far_point + (part.lines - 1) * part.far_line;
    visit(buffer + part.far * bytes);
    visit(buffer + last * bytes);
  };
  for (std::int64_t i = 0; i < arguments.tile_count; ++i) {
    const LineTile& tile = arguments.tiles[arguments.first_tile + i];
    for (std::int32_t p = 0; p < tile.sources; ++p)
      visit_part(arguments.parts[tile.first_source + p],
                 form == LineForm::r2c || form == LineForm::r2r,
                 arguments.source_elements != nullptr);
    for (std::int32_t p = 0; p < tile.targets; ++p)
      visit_part(arguments.parts[tile.first_target + p],
                 form == LineForm::c2r || form == LineForm::r2r,
                 arguments.target_elements != nullptr);
  }
}

}  // namespace

void LateDriver::prepare(int kernel) {
  const Call call(*this);
  if (!prepared_.contains({selected(), kernel})) require_no_capture("to load a kernel");
  prepared_.emplace(selected(), kernel);
}

// Kernels reach memory that a driver has allocated, or that is registered where the device sees it,
// and no other.
template <class Real>
void LateDriver::require_reach(const void* arguments) {
  visit_ends(*static_cast<const LineArguments<Real>*>(arguments), [this](const std::byte* address) {
    const std::byte* const here = address_here(address);
    ensure(place_of(here).kind != Memory::host, "a kernel works on memory that is not registered");
    ensure(is_enlisted(here) == (here != address),
           "a kernel works on registered memory by its address on the processor");
  });
}

void LateDriver::launch(DeviceStream stream, const KernelLaunch& launch) {
  const Call call(*this);
  ensure(prepared_.contains({selected(), launch.kernel}), "a kernel is loaded in a run",
         launch.kernel);
  const bool is_single = static_cast<DeviceKernel>(launch.kernel) == DeviceKernel::lines_single;
  const auto* const given = static_cast<const std::byte*>(launch.arguments);
  std::vector<std::byte> copied(
      given, given + (is_single ? sizeof(LineArguments<float>) : sizeof(LineArguments<double>)));
  launch_after(stream, launch, body_of(launch), [this, is_single, copied = std::move(copied)] {
    is_single ? require_reach<float>(copied.data()) : require_reach<double>(copied.data());
  });
}

void LateDriver::launch(DeviceStream stream, const KernelLaunch& launch,
                        std::function<void(const LateGroup&, std::byte*)> body) {
  const Call call(*this);
  launch_after(stream, launch, std::move(body), [] {});
}

void LateDriver::launch_after(DeviceStream stream, const KernelLaunch& launch,
                              std::function<void(const LateGroup&, std::byte*)> body,
                              std::function<void()> check) {
  if (launch.threads < 1 || launch.threads > settings_.threads || launch.blocks < 1 ||
      launch.shared_bytes > settings_.shared_bytes)
    throw Error(Error::system,
                fmt::format("late: cannot launch {} blocks of {} threads with {} shared bytes",
                            launch.blocks, launch.threads, launch.shared_bytes));
  enqueue(stream, [this, launch, body = std::move(body), check = std::move(check)] {
    check();
    std::vector<std::int64_t> order(static_cast<std::size_t>(launch.blocks));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random_);
    LateBlock block(launch.threads, launch.shared_bytes, random_);
    for (const std::int64_t number : order) block.run(body, number, launch.blocks);
  });
}

}  // namespace weft
