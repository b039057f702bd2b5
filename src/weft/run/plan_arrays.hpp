// run/plan_arrays: the arrays on both sides of a plan, and their stand-ins.
// Pure of MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/memory/huge_pages.hpp"
#include "weft/program/program.hpp"
#include "weft/run/call.hpp"
#include "weft/run/run_array.hpp"

namespace weft {

/// Makes the arrays of runs. Each slot of a plan has stand-ins of its own.
class PlanArrays {
 public:
  /// The user's arrays on one side.
  struct Side {
    std::int64_t bytes = 0;  ///< in place, of an array that can hold either side
    ArrayPoints points;
  };
  struct Spec {
    Side input, output;
    bool in_place = false;
    bool huge_pages = true;      ///< asks for them for arrays of users
    Device device;               ///< that the plan computes on, if it does not on the processor
    std::int64_t alignment = 1;  ///< of arrays on that device, in bytes
    Device through;              ///< through which its data stream, if they do
  };
  explicit PlanArrays(Spec spec);

  /// Other ranks of the node work on these sides in some direction: stand-ins are made for them
  /// when they are needed.
  void share(bool input, bool output);
  /// What stand-ins have allocated.
  std::int64_t stand_in_bytes() const { return input_stand_in_.bytes() + output_stand_in_.bytes(); }
  void free_stand_ins() {
    input_stand_in_ = StandIn();
    output_stand_in_ = StandIn();
  }

  /// The arrays of a run of `program`. Error::invalid, of a plan on the processor, for an array in
  /// memory that the processor cannot touch; errors as of RunArray, also of one `in_graph`.
  struct OfRun {
    RunArray source, target;
  };
  OfRun of_run(const Call& call, const Program& program, bool in_graph = false);

 private:
  struct Use {
    bool is_source = false, is_input = false, is_one_array = false;
    bool is_shared = false;  // other ranks work on it in this direction
    bool in_graph = false;
  };
  RunArray run_array(const GivenArray& given, const Use& use);
  bool takes_registered() const { return spec_.device || spec_.through; }

  Spec spec_;
  bool is_shared_ = false;  // other ranks of the node may work on arrays
  // A run in place on one array uses the first only.
  StandIn input_stand_in_, output_stand_in_;
  HugePages huge_pages_;
  std::array<const std::byte*, 2> readable_{};  // the last ones of both sides
};

}  // namespace weft
