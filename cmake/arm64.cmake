# cmake/arm64: compiles for arm64 Linux on another machine, and runs what was compiled under qemu-user.
# Needs: g++-aarch64-linux-gnu, qemu-user, and build/arm64-root, which tools/arm64_root.sh makes.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root" ABSOLUTE)
set(CMAKE_SYSROOT "${root}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${root}")

# Open MPI's compiler wrapper is a program for arm64, too, so its answers are given here.
set(openmpi "${root}/usr/lib/aarch64-linux-gnu/openmpi")
set(MPI_C_COMPILER "${CMAKE_C_COMPILER}" CACHE STRING "")
set(MPI_C_COMPILER_INCLUDE_DIRS "${openmpi}/include" CACHE STRING "")
set(MPI_C_HEADER_DIR "${openmpi}/include" CACHE PATH "")
set(MPI_C_LIB_NAMES "mpi" CACHE STRING "")
set(MPI_mpi_LIBRARY "${openmpi}/lib/libmpi.so" CACHE FILEPATH "")
