// device/nccl: NVIDIA's NCCL and AMD's RCCL, libraries of one interface for messages between
// devices, found when the program runs.
// Keeps: no header of theirs is needed; what is declared here of their interface has stayed the
// same from version 2.18 on.
#pragma once

#include <cstddef>
#include <string>

namespace weft {

/// What rank 0 of a communicator makes and all ranks start with: plain data.
struct NcclId {
  char bytes[128];
};

/// The part of ncclConfig_t that version 2.14 had. Its first number tells later versions that the
/// rest is theirs to choose.
struct NcclConfig {
  std::size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = 21400;
  int blocking = 0;
};

/// The functions that weft calls. Those that return an int return `success`, `in_progress` or an
/// error. A communicator and a stream are addresses that only the library, or the driver,
/// understands.
struct NcclFunctions {
  static constexpr int success = 0, in_progress = 7;
  static constexpr int bytes = 0;  ///< the type of elements: ncclInt8
  /// The first version in which a thread may give up a communicator while what another one has
  /// begun is under way: 2.18.
  static constexpr int least_version = 21800;

  int (*find_version)(int* version) = nullptr;
  int (*make_id)(NcclId* id) = nullptr;
  int (*initialize)(void** comm, int ranks, NcclId id, int rank, NcclConfig* config) = nullptr;
  int (*count_ranks)(void* comm, int* ranks) = nullptr;
  int (*give_up)(void* comm) = nullptr;
  int (*find_state)(void* comm, int* state) = nullptr;
  const char* (*text_of)(int result) = nullptr;
  int (*begin_group)() = nullptr;
  int (*end_group)() = nullptr;
  int (*send)(const void* from, std::size_t count, int type, int peer, void* comm,
              void* stream) = nullptr;
  int (*receive)(void* to, std::size_t count, int type, int peer, void* comm,
                 void* stream) = nullptr;
};

/// The library for the devices of a driver, as far as there is one.
struct NcclLibrary {
  const NcclFunctions* functions = nullptr;  ///< null: it cannot be used
  std::string name;                          ///< "NCCL"; empty: there is none for this driver
  int version = 0;
  std::string why_not;  ///< why it cannot be used: "NCCL (libnccl.so.2) is not installed"

  /// "NCCL 2.28.3", or why not.
  std::string text() const;
};

/// That of the driver `driver`. The first call loads it.
const NcclLibrary& nccl_library(const std::string& driver);

/// For tests: these functions are the library of `driver` from now on; null: there is none any
/// more. The same on all ranks, and before plans are made.
void pretend_nccl(const std::string& driver, const NcclFunctions* functions);

}  // namespace weft
