# cmake/WeftCuda: whether this build has kernels for devices of NVIDIA. They are compiled into one file for several architectures, which
# the library holds as data and gives to CUDA's driver, found when the program runs: nothing of CUDA is linked.
# Sets: WEFT_HAVE_CUDA, WEFT_NVCC and WEFT_CUDA_INCLUDE_DIR.
set(WEFT_CUDA_ARCHITECTURES "75;80;90;100" CACHE STRING "Architectures of NVIDIA's devices that kernels are compiled for; \
newer devices translate those of the first when they load them")
set(WEFT_HAVE_CUDA OFF)

if(WEFT_CUDA)  # "off" is false, "on" and "auto" are true
  find_program(WEFT_NVCC nvcc HINTS "$ENV{CUDA_PATH}/bin" "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
  if(WEFT_NVCC)
    file(REAL_PATH "${WEFT_NVCC}" nvcc)
    get_filename_component(toolkit "${nvcc}" DIRECTORY)
    find_path(WEFT_CUDA_INCLUDE_DIR cuda.h HINTS "${toolkit}/../include" "${toolkit}/../targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include")
  endif()
  if(WEFT_NVCC AND WEFT_CUDA_INCLUDE_DIR AND NOT CMAKE_CROSSCOMPILING)
    set(WEFT_HAVE_CUDA ON)
  elseif(NOT WEFT_CUDA STREQUAL "auto")
    message(FATAL_ERROR "WEFT_CUDA is '${WEFT_CUDA}', but CUDA's compiler, nvcc, or its header cuda.h was not found.\n"
                        "  try: -DWEFT_NVCC=<the path of nvcc>, or -DWEFT_CUDA=off")
  endif()
endif()
message(STATUS "CUDA: ${WEFT_HAVE_CUDA}")

# weft_cuda_kernels(TARGET SOURCE): compiles SOURCE, a .cu file, into one file for all architectures, which device/cuda_contexts holds.
function(weft_cuda_kernels target source)
  set(file "${PROJECT_BINARY_DIR}/cuda/kernels.fatbin")
  set(code "")
  foreach(architecture IN LISTS WEFT_CUDA_ARCHITECTURES)
    list(APPEND code -gencode arch=compute_${architecture},code=sm_${architecture})
  endforeach()
  list(GET WEFT_CUDA_ARCHITECTURES 0 oldest)
  list(APPEND code -gencode arch=compute_${oldest},code=compute_${oldest})
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/cuda")
  add_custom_command(OUTPUT "${file}"
    COMMAND "${WEFT_NVCC}" -fatbin -std=c++20 --expt-relaxed-constexpr -O3 -Xfatbin=-compress-all ${code} "-I${PROJECT_SOURCE_DIR}/src"
            "-I${PROJECT_SOURCE_DIR}/include" -MD -MF "${file}.d" -o "${file}" "${source}"
    DEPENDS "${source}" DEPFILE "${file}.d" COMMENT "Compiling kernels for devices of NVIDIA" VERBATIM)
  set_source_files_properties(weft/device/cuda_contexts.cpp PROPERTIES OBJECT_DEPENDS "${file}"
    COMPILE_DEFINITIONS "WEFT_CUDA_KERNELS=\"${file}\"" SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${target} SYSTEM PRIVATE "${WEFT_CUDA_INCLUDE_DIR}")
endfunction()
