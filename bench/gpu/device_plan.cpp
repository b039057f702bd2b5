// bench/gpu/device_plan: makes the program of the only rank, and its passes.

#include "device_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/making/maker.hpp"

namespace weft::bench {

namespace {

Program program_of(const Problem& problem, bool forward) {
  Machine machine;
  machine.ranks = 1;
  machine.node_of_rank = {0};
  std::string strategy = "fftw | from 1", stages;
  for (int a = 1; a < problem.extents.size(); ++a) strategy += "x1";
  for (int a = problem.extents.size() - 1; a >= 0; --a) strategy += fmt::format(" | fft {}", a);
  return make_program(Blueprint::of(validated(problem), parse_strategy(strategy), machine), forward,
                      0);
}

std::int64_t bytes_of_patches(const Patches& patches, Scalar scalar) {
  std::int64_t points = 0;
  for (const Patch& patch : patches) points += patch.box.volume();
  return points * scalar.bytes();
}

// The bytes of an array that a program's passes use.
std::int64_t array_bytes(const Program& program, Home home) {
  std::int64_t bytes = 0;
  for (const SweepProgram& sweep : program.sweeps)
    for (const PassProgram& pass : sweep.passes)
      for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        if (program.buffers[b].home != home) continue;
        const auto number = static_cast<int>(b);
        bytes =
            std::max({bytes, span_of(pass.spec.source, number) * pass.spec.source_scalar().bytes(),
                      span_of(pass.spec.target, number) * pass.spec.target_scalar().bytes()});
      }
  return bytes;
}

}  // namespace

DevicePlan::DevicePlan(DeviceDriver& driver, const Problem& problem, bool forward) {
  const Program program = program_of(problem, forward);
  for (const SweepProgram& sweep : program.sweeps)
    for (std::size_t p = 0; p < sweep.passes.size(); ++p) {
      const PassSpec& spec = sweep.passes[p].spec;
      passes_.push_back({DevicePass(sweep, p, driver), sweep.items.size()});
      names_.push_back(spec.axes.empty() ? "copy" : fmt::format("axis {}", spec.axes.front()));
      bytes_.push_back(bytes_of_patches(spec.source, spec.source_scalar()) +
                       bytes_of_patches(spec.target, spec.target_scalar()));
    }
  source_bytes_ = array_bytes(program, Home::source);
  target_bytes_ = array_bytes(program, Home::target);
  source_ = DeviceBuffer(driver, source_bytes_);
  target_ = DeviceBuffer(driver, target_bytes_);
  workspace_ = DeviceBuffer(driver, program.workspace_bytes);

  std::vector<std::byte*> addresses;
  for (const BufferSpec& buffer : program.buffers) {
    const DeviceBuffer& home = buffer.home == Home::source   ? source_
                               : buffer.home == Home::target ? target_
                                                             : workspace_;
    addresses.push_back(static_cast<std::byte*>(home.data()) + buffer.offset);
  }
  const auto bytes = static_cast<std::int64_t>(addresses.size() * sizeof(std::byte*));
  table_ = DeviceBuffer(driver, bytes);
  const DeviceStream stream = driver.make_stream(0);
  driver.copy(stream, table_.data(), addresses.data(), bytes);
  driver.await(stream);
  driver.destroy(stream);
}

void DevicePlan::enqueue(DeviceStream stream, std::size_t pass) const {
  for (std::size_t item = 0; item < passes_[pass].items; ++item)
    passes_[pass].pass.enqueue(stream, item, static_cast<std::byte* const*>(table_.data()));
}

}  // namespace weft::bench
