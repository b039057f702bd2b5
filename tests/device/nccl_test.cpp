// device/nccl: what is declared of NCCL's interface is what its header declares, where there is
// one; the library that is installed has the functions.

#include "weft/device/nccl.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <type_traits>

#if __has_include(<nccl.h>) && __has_include(<cuda_runtime.h>)
#include <nccl.h>
#define WEFT_TEST_HAS_NCCL_H
#endif

namespace weft {

#ifdef WEFT_TEST_HAS_NCCL_H

namespace {

// Whether a function passes both in the same way: addresses, numbers and enumerators of the same
// size, or structures of the same size.
template <class Ours, class Theirs>
constexpr bool are_passed_alike =
    sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> ==
                                          std::is_pointer_v<Theirs>&& std::is_class_v<Ours> ==
                                          std::is_class_v<Theirs>;

template <class Ours, class Theirs>
struct Calls : std::false_type {};
template <class Ours, class... OurArguments, class Theirs, class... TheirArguments>
requires(sizeof...(OurArguments) ==
         sizeof...(
             TheirArguments)) struct Calls<Ours (*)(OurArguments...), Theirs (*)(TheirArguments...)>
    : std::bool_constant<are_passed_alike<Ours, Theirs> &&
                         (are_passed_alike<OurArguments, TheirArguments> && ...)> {
};

template <auto function, class Declared>
constexpr bool is_declared_right = Calls<Declared, decltype(function)>::value;

}  // namespace

TEST(Nccl, is_declared_as_in_its_header) {
  using Ours = NcclFunctions;
  EXPECT_TRUE((is_declared_right<&ncclGetVersion, decltype(Ours::find_version)>));
  EXPECT_TRUE((is_declared_right<&ncclGetUniqueId, decltype(Ours::make_id)>));
  EXPECT_TRUE((is_declared_right<&ncclCommInitRankConfig, decltype(Ours::initialize)>));
  EXPECT_TRUE((is_declared_right<&ncclCommCount, decltype(Ours::count_ranks)>));
  EXPECT_TRUE((is_declared_right<&ncclCommAbort, decltype(Ours::give_up)>));
  EXPECT_TRUE((is_declared_right<&ncclCommGetAsyncError, decltype(Ours::find_state)>));
  EXPECT_TRUE((is_declared_right<&ncclGetErrorString, decltype(Ours::text_of)>));
  EXPECT_TRUE((is_declared_right<&ncclGroupStart, decltype(Ours::begin_group)>));
  EXPECT_TRUE((is_declared_right<&ncclGroupEnd, decltype(Ours::end_group)>));
  EXPECT_TRUE((is_declared_right<&ncclSend, decltype(Ours::send)>));
  EXPECT_TRUE((is_declared_right<&ncclRecv, decltype(Ours::receive)>));
  EXPECT_FALSE((is_declared_right<&ncclSend, decltype(Ours::initialize)>));
  EXPECT_EQ(Ours::success, static_cast<int>(ncclSuccess));
  EXPECT_EQ(Ours::in_progress, static_cast<int>(ncclInProgress));
  EXPECT_EQ(Ours::bytes, static_cast<int>(ncclInt8));
  EXPECT_EQ(sizeof(NcclId), sizeof(ncclUniqueId));
}

TEST(Nccl, has_a_configuration_as_in_its_header) {
  const ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
  EXPECT_EQ(NcclConfig().magic, theirs.magic);
  EXPECT_EQ(offsetof(NcclConfig, size), offsetof(ncclConfig_t, size));
  EXPECT_EQ(offsetof(NcclConfig, magic), offsetof(ncclConfig_t, magic));
  EXPECT_EQ(offsetof(NcclConfig, version), offsetof(ncclConfig_t, version));
  EXPECT_EQ(offsetof(NcclConfig, blocking), offsetof(ncclConfig_t, blocking));
}

#endif

TEST(Nccl, is_found_whole_or_told_to_be_missing) {
  const NcclLibrary& library = nccl_library("cuda");
  EXPECT_EQ(library.name, "NCCL");
  if (library.functions == nullptr) {
    EXPECT_THAT(library.text(), testing::HasSubstr("is not installed"));
    return;
  }
  EXPECT_GE(library.version, NcclFunctions::least_version);
  EXPECT_EQ(library.text(), "NCCL " + std::to_string(library.version / 10000) + "." +
                                std::to_string(library.version / 100 % 100) + "." +
                                std::to_string(library.version % 100));
  EXPECT_STREQ(library.functions->text_of(NcclFunctions::success), "no error");
}

}  // namespace weft
