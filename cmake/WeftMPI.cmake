# cmake/WeftMPI: finds one MPI - its headers, its library and its own launcher - where several stand side by side.
# Keeps: compiler wrapper and launcher are of the same MPI; Debian's alternatives for mpicc and mpiexec do not matter.
# Sets: MPI::MPI_C, WEFT_MPI_NAME (openmpi, mpich or smpi), WEFT_MPIEXEC (launcher and flags, a list), WEFT_MPI_ENVIRONMENT.

set(wrappers_auto mpicc.openmpi mpicc)
set(wrappers_openmpi mpicc.openmpi mpicc)
set(wrappers_mpich mpicc.mpich mpicc)
set(wrappers_smpi smpicc)
if(WEFT_PYTHON STREQUAL "package")
  # pip's build environment has the MPICH of PyPI, whose library has the name that mpi4py loads; Debian's has another.
  set(wrappers_mpich mpicc mpicc.mpich)
endif()
if(NOT DEFINED wrappers_${WEFT_MPI})
  message(FATAL_ERROR "WEFT_MPI is '${WEFT_MPI}'; it can be auto, openmpi, mpich or smpi")
endif()
if(WEFT_MPI STREQUAL "smpi" AND (WEFT_TESTS OR WEFT_EXAMPLES OR WEFT_INSTALL))
  # SimGrid loads a program once for each rank: it runs weft's program, which is made for this, and no other.
  message(FATAL_ERROR "WEFT_MPI is 'smpi', for which there are no tests, no examples and nothing to install.\n"
                      "  try: cmake --preset smpi, in a fresh build folder")
endif()

# A user who names a compiler wrapper keeps it; so does one who names mpicc by its place on PATH.
if(NOT MPI_C_COMPILER)
  find_program(MPI_C_COMPILER NAMES ${wrappers_${WEFT_MPI}} DOC "The MPI compiler wrapper for C")
endif()
if(MPI_C_COMPILER AND NOT MPIEXEC_EXECUTABLE AND NOT WEFT_MPI STREQUAL "smpi")
  # mpicc.openmpi goes with mpiexec.openmpi, mpicc with mpiexec, from the same folder.
  get_filename_component(wrapper_folder "${MPI_C_COMPILER}" DIRECTORY)
  get_filename_component(wrapper_suffix "${MPI_C_COMPILER}" LAST_EXT)
  find_program(MPIEXEC_EXECUTABLE NAMES "mpiexec${wrapper_suffix}" HINTS "${wrapper_folder}"
               DOC "The MPI launcher")
endif()

find_package(MPI REQUIRED COMPONENTS C)
# For programs that use MPI without weft (peers, tests); weft's users get these two from weft::comm.
set_property(TARGET MPI::MPI_C APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
             OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)

function(weft_mpi_of_headers name)
  include(CheckSymbolExists)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  set(CMAKE_REQUIRED_QUIET ON)
  check_symbol_exists(OMPI_MAJOR_VERSION mpi.h WEFT_MPI_HAS_OMPI)
  check_symbol_exists(MPICH_NUMVERSION mpi.h WEFT_MPI_HAS_MPICH)
  check_symbol_exists(SMPI_H mpi.h WEFT_MPI_HAS_SMPI)
  if(WEFT_MPI_HAS_OMPI)
    set(${name} openmpi PARENT_SCOPE)
  elseif(WEFT_MPI_HAS_MPICH)
    set(${name} mpich PARENT_SCOPE)
  elseif(WEFT_MPI_HAS_SMPI)
    set(${name} smpi PARENT_SCOPE)
  else()
    set(${name} other PARENT_SCOPE)
  endif()
endfunction()

function(weft_mpi_of_launcher name)
  execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(said MATCHES "OpenRTE|Open MPI")
    set(${name} openmpi PARENT_SCOPE)
  elseif(said MATCHES "HYDRA|[Hh]ydra")
    set(${name} mpich PARENT_SCOPE)
  else()
    set(${name} other PARENT_SCOPE)
  endif()
endfunction()

weft_mpi_of_headers(WEFT_MPI_NAME)
if(NOT WEFT_MPI STREQUAL "auto" AND NOT WEFT_MPI STREQUAL WEFT_MPI_NAME)
  message(FATAL_ERROR "WEFT_MPI is '${WEFT_MPI}', but ${MPI_C_COMPILER} compiles for '${WEFT_MPI_NAME}'.\n"
                      "  try: -DMPI_C_COMPILER=<the wrapper of ${WEFT_MPI}>, in a fresh build folder")
endif()

unset(WEFT_MPIEXEC CACHE)
set(WEFT_MPIEXEC "")
if(MPIEXEC_EXECUTABLE AND NOT WEFT_MPI_NAME STREQUAL "smpi")  # that needs a platform: bench/simulate
  weft_mpi_of_launcher(launcher_name)
  if(NOT launcher_name STREQUAL WEFT_MPI_NAME AND NOT launcher_name STREQUAL "other" AND NOT WEFT_MPI_NAME STREQUAL "other")
    message(FATAL_ERROR "the MPI launcher ${MPIEXEC_EXECUTABLE} is ${launcher_name}'s, but the headers are "
                        "${WEFT_MPI_NAME}'s: every program would run as many single processes.\n"
                        "  try: -DMPIEXEC_EXECUTABLE=<the launcher of ${WEFT_MPI_NAME}>")
  endif()
  set(WEFT_MPIEXEC "${MPIEXEC_EXECUTABLE}")
endif()

set(WEFT_MPI_ENVIRONMENT "")
if(WEFT_MPI_NAME STREQUAL "openmpi")
  list(APPEND WEFT_MPIEXEC --oversubscribe --bind-to none)
  set(WEFT_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
  # Open MPI lets ranks yield where they outnumber cores, but does not know of other tests that run at the same time.
  if(NOT DEFINED ENV{OMPI_MCA_mpi_yield_when_idle})
    list(APPEND WEFT_MPI_ENVIRONMENT OMPI_MCA_mpi_yield_when_idle=1)
  endif()
  # ob1 is what Open MPI chooses where there is no fast network; looking for one takes each process 0.2 s.
  if(NOT DEFINED ENV{OMPI_MCA_pml})
    list(APPEND WEFT_MPI_ENVIRONMENT OMPI_MCA_pml=ob1)
  endif()
  # What the launcher tells a rank, it otherwise writes into shared memory, of which each process zeroes megabytes.
  if(NOT DEFINED ENV{PMIX_MCA_gds})
    list(APPEND WEFT_MPI_ENVIRONMENT PMIX_MCA_gds=hash)
  endif()
endif()
# In the cache for ./dev to read.
set(WEFT_MPIEXEC "${WEFT_MPIEXEC}" CACHE INTERNAL "The MPI launcher and its flags")
message(STATUS "MPI: ${WEFT_MPI_NAME} ${MPI_C_VERSION} (${MPI_C_COMPILER}, launcher ${MPIEXEC_EXECUTABLE})")
