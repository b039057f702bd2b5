# cmake/WeftTest: one way to register a ctest test, alone or under the MPI launcher.
# Keeps: a hang fails (TIMEOUT), tests share the processors and do not crowd them (PROCESSORS).
set(weft_test_seconds 600)
# What is computed takes 10 to 60 times as long under a sanitizer or an emulator: the tests that go through many problems take fewer.
set(weft_test_divisor 1)
if(WEFT_SANITIZE OR CMAKE_CROSSCOMPILING)
  set(weft_test_seconds 1500)
  set(weft_test_divisor 10)
endif()

# Tests are scheduled by halves of processors (`ctest -j 4` where there are 2 processors), because some wait half of the time. So two
# tests of few ranks run at the same time on two processors. Those of many ranks take the machine for themselves, a machine of 2
# processors and a part of a larger one: ranks that wait yield to each other, and two times 12 ranks take 1.2 times as long at once as
# one after the other.
set(weft_test_machine 4)
set(weft_test_few_ranks 4)

# binutils' other linker takes a third of the time for each of the hundred programs. Unless told, it leaves out oneMKL's libraries
# that only oneMKL's own libraries need.
set(weft_test_linker "")
if(WEFT_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT WEFT_SANITIZE)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold WEFT_TEST_HAS_GOLD)
endif()
if(WEFT_TEST_HAS_GOLD)
  set(weft_test_linker -fuse-ld=gold LINKER:--no-as-needed)
endif()

# OpenMP's waiting threads would spin against each other on a full machine.
# Nobody needs devices: each process that uses MPI would read the PCI bus, where a hypervisor answers each read, and load plugins that look
# for displays and accelerators.
# The next two keep MPI's libraries from writing into what tests read, where a chroot has no /sys.
# And nobody's wisdom decides what is tested.
set(weft_test_environment OMP_WAIT_POLICY=passive HWLOC_COMPONENTS=-pci,-linuxio "HWLOC_PLUGINS_PATH=${PROJECT_BINARY_DIR}/no_plugins"
    HWLOC_HIDE_ERRORS=2 UCX_LOG_LEVEL=fatal WEFT_WISDOM=)
if(WEFT_SANITIZE)
  set(suppressions "${PROJECT_SOURCE_DIR}/tests/support")
  list(APPEND weft_test_environment
    "ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1" "LSAN_OPTIONS=suppressions=${suppressions}/lsan.supp:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1" "TSAN_OPTIONS=allocator_may_return_null=1:ignore_noninstrumented_modules=1:suppressions=${suppressions}/tsan.supp")
endif()
if(WEFT_SANITIZE MATCHES "thread")
  # Archer tells the sanitizer what OpenMP's barriers order; without it nearly every run is full of false reports.
  get_filename_component(omp_folder "${OpenMP_omp_LIBRARY}" DIRECTORY)
  find_library(WEFT_ARCHER archer HINTS "${omp_folder}" REQUIRED)
  list(APPEND weft_test_environment "OMP_TOOL_LIBRARIES=${WEFT_ARCHER}")
endif()

# Another machine than this one, as far as weft asks for it (see the file); not under sanitizers, which want to be loaded first.
set(WEFT_TEST_PRETEND_CACHES "" CACHE STRING "Tests: pretend caches of levels 2 and 3 so many times as large, like 16 or 0.0625")
set(WEFT_TEST_PRETEND_CORES "" CACHE STRING "Tests: pretend that every process may run on so many cores")
set(weft_test_preload "")
if(WEFT_TESTS AND (WEFT_TEST_PRETEND_CACHES OR WEFT_TEST_PRETEND_CORES))
  if(WEFT_SANITIZE)
    message(FATAL_ERROR "WEFT_TEST_PRETEND_CACHES and WEFT_TEST_PRETEND_CORES do not work with WEFT_SANITIZE")
  endif()
  add_library(pretend_machine MODULE "${PROJECT_SOURCE_DIR}/tests/support/pretend_machine.c")
  target_link_libraries(pretend_machine PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(pretend_machine PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests" PREFIX "")
  set(weft_test_preload "${PROJECT_BINARY_DIR}/tests/pretend_machine.so")
  list(APPEND weft_test_environment "LD_PRELOAD=${weft_test_preload}")
  if(WEFT_TEST_PRETEND_CACHES)
    list(APPEND weft_test_environment "PRETEND_CACHES=${WEFT_TEST_PRETEND_CACHES}")
  endif()
  if(WEFT_TEST_PRETEND_CORES)
    list(APPEND weft_test_environment "PRETEND_CORES=${WEFT_TEST_PRETEND_CORES}")
  endif()
endif()

# The launcher of the tests. MPICH needs help where ranks outnumber cores (see the file).
set(weft_test_launch ${WEFT_MPIEXEC})
if(WEFT_TESTS AND WEFT_MPI_NAME STREQUAL "mpich" AND NOT WEFT_SANITIZE)
  add_library(mpich_yield MODULE "${PROJECT_SOURCE_DIR}/tests/support/mpich_yield.c")
  target_link_libraries(mpich_yield PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(mpich_yield PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests" PREFIX "")
  set(preloaded "${PROJECT_BINARY_DIR}/tests/mpich_yield.so" ${weft_test_preload})
  list(JOIN preloaded ":" preloaded)
  list(APPEND weft_test_launch -genv LD_PRELOAD "${preloaded}")
endif()

# weft_ctest(NAME name COMMAND ... [RANKS k] [ENVIRONMENT ...] [LABELS ...]): one ctest test, with RANKS under the launcher.
# Compiled for another processor, a test runs under the emulator, without a launcher and so on one rank only.
function(weft_ctest)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;RANKS" "COMMAND;ENVIRONMENT;LABELS")
  if(CMAKE_CROSSCOMPILING AND test_RANKS GREATER 1)
    return()
  endif()
  set(name "${WEFT_TEST_PREFIX}${test_NAME}")
  set(launch ${CMAKE_CROSSCOMPILING_EMULATOR})
  set(environment ${weft_test_environment} ${test_ENVIRONMENT})
  set(processors 2)
  if(test_RANKS AND NOT CMAKE_CROSSCOMPILING)
    # The launcher's own time-out comes first: it ends every rank, where ctest can only kill the launcher.
    math(EXPR launcher_seconds "${weft_test_seconds} - 20")
    list(APPEND environment ${WEFT_MPI_ENVIRONMENT})
    set(launch ${weft_test_launch})
    if(WEFT_MPI_NAME STREQUAL "openmpi")
      list(APPEND launch --timeout ${launcher_seconds})
      # Open MPI keeps files of all jobs of a user in one folder, and the last to end removes it, even while another one begins.
      list(APPEND environment "OMPI_MCA_orte_tmpdir_base=${PROJECT_BINARY_DIR}/jobs/${name}")
    else()
      list(APPEND environment MPIEXEC_TIMEOUT=${launcher_seconds})
    endif()
    list(APPEND launch -n ${test_RANKS})
    if(test_RANKS GREATER weft_test_few_ranks)
      set(processors ${weft_test_machine})
    endif()
  endif()
  add_test(NAME "${name}" COMMAND ${launch} ${test_COMMAND})
  set_tests_properties("${name}" PROPERTIES TIMEOUT ${weft_test_seconds} PROCESSORS ${processors}
                       ENVIRONMENT "${environment}" LABELS "${test_LABELS}")
endfunction()
