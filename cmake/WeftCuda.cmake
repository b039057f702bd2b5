# cmake/WeftCuda: whether this build has kernels for devices of NVIDIA. They are compiled into one file for several architectures, which
# the library holds as data and gives to CUDA's driver, found when the program runs: nothing of CUDA is linked.
# Sets: WEFT_HAVE_CUDA, WEFT_NVCC and WEFT_CUDA_INCLUDE_DIR.
# Keeps: a compiler that cannot compile the kernels stops no build but with -DWEFT_CUDA=on.
set(WEFT_CUDA_ARCHITECTURES "75;80;90;100" CACHE STRING "Architectures of NVIDIA's devices that kernels are compiled for, where nvcc \
knows them; newer devices translate those of the first when they load them")
set(WEFT_HAVE_CUDA OFF)

# weft_cuda_reason(OUT): empty if nvcc can compile the kernels, else why not. Sets weft_cuda_code, the architectures that nvcc knows.
function(weft_cuda_reason out)
  set(${out} "" PARENT_SCOPE)
  if(NOT WEFT_NVCC OR NOT WEFT_CUDA_INCLUDE_DIR)
    set(${out} "CUDA's compiler, nvcc, or its header cuda.h was not found" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND "${WEFT_NVCC}" --version OUTPUT_VARIABLE version ERROR_QUIET)
  execute_process(COMMAND "${WEFT_NVCC}" --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
  string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" found "${version}")
  if(NOT found OR CMAKE_MATCH_1 VERSION_LESS 12.0)
    set(${out} "nvcc is of version '${CMAKE_MATCH_1}', and C++20 needs 12.0" PARENT_SCOPE)
    return()
  endif()
  set(code "")
  foreach(architecture IN LISTS WEFT_CUDA_ARCHITECTURES)
    if(known MATCHES "compute_${architecture}[^0-9]")
      list(APPEND code "${architecture}")
    endif()
  endforeach()
  if(NOT code)
    set(${out} "nvcc knows none of the architectures ${WEFT_CUDA_ARCHITECTURES}" PARENT_SCOPE)
  endif()
  set(weft_cuda_code "${code}" PARENT_SCOPE)
endfunction()

if(WEFT_CUDA)  # "off" is false, "on" and "auto" are true
  find_program(WEFT_NVCC nvcc HINTS "$ENV{CUDA_PATH}/bin" "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
  if(WEFT_NVCC)
    file(REAL_PATH "${WEFT_NVCC}" nvcc)
    get_filename_component(toolkit "${nvcc}" DIRECTORY)
    find_path(WEFT_CUDA_INCLUDE_DIR cuda.h HINTS "${toolkit}/../include" "${toolkit}/../targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include")
  endif()
  weft_cuda_reason(reason)
  if(NOT reason AND NOT CMAKE_CROSSCOMPILING)
    set(WEFT_HAVE_CUDA ON)
  elseif(NOT WEFT_CUDA STREQUAL "auto")
    message(FATAL_ERROR "WEFT_CUDA is '${WEFT_CUDA}', but ${reason}.\n"
                        "  try: -DWEFT_NVCC=<the path of nvcc>, or -DWEFT_CUDA=off")
  endif()
endif()
if(WEFT_HAVE_CUDA)
  message(STATUS "CUDA: kernels for architectures ${weft_cuda_code}")
else()
  message(STATUS "CUDA: none ${reason}")
endif()

# weft_cuda_kernels(TARGET SOURCE): compiles SOURCE, a .cu file, into one file for all architectures, which device/cuda holds.
function(weft_cuda_kernels target source)
  set(file "${PROJECT_BINARY_DIR}/cuda/kernels.fatbin")
  set(code "")
  foreach(architecture IN LISTS weft_cuda_code)
    list(APPEND code -gencode arch=compute_${architecture},code=sm_${architecture})
  endforeach()
  list(GET weft_cuda_code 0 oldest)
  list(APPEND code -gencode arch=compute_${oldest},code=compute_${oldest})
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/cuda")
  # A block has at most 512 threads, and so 128 registers for each. With __launch_bounds__ instead, functions that kernels call have 64.
  add_custom_command(OUTPUT "${file}"
    COMMAND "${WEFT_NVCC}" -fatbin -std=c++20 --expt-relaxed-constexpr -O3 -maxrregcount=128 -Xfatbin=-compress-all ${code} "-I${PROJECT_SOURCE_DIR}/src"
            "-I${PROJECT_SOURCE_DIR}/include" -MD -MF "${file}.d" -o "${file}" "${source}"
    DEPENDS "${source}" DEPFILE "${file}.d" COMMENT "Compiling kernels for devices of NVIDIA" VERBATIM)
  set_source_files_properties(weft/device/cuda.cpp PROPERTIES OBJECT_DEPENDS "${file}"
    COMPILE_DEFINITIONS "WEFT_CUDA_KERNELS=\"${file}\"" SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${target} SYSTEM PRIVATE "${WEFT_CUDA_INCLUDE_DIR}")
endfunction()
