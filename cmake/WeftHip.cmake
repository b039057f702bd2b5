# cmake/WeftHip: whether this build has kernels for devices of AMD. They are compiled into one file for several architectures, which the
# library holds as data and gives to HIP's runtime, found when the program runs: nothing of HIP is linked.
# Sets: WEFT_HAVE_HIP, WEFT_HIPCC and WEFT_HIP_INCLUDE_DIR.
# Keeps: a compiler that cannot compile the kernels stops no build but with -DWEFT_HIP=on.
set(WEFT_HIP_ARCHITECTURES "gfx906;gfx90a" CACHE STRING "Architectures of AMD's devices that kernels are compiled for")
set(WEFT_HAVE_HIP OFF)
set(weft_hip_code "")
foreach(architecture IN LISTS WEFT_HIP_ARCHITECTURES)
  list(APPEND weft_hip_code --offload-arch=${architecture})
endforeach()

# weft_hip_reason(OUT): empty if hipcc can compile kernels for all architectures, else why not.
function(weft_hip_reason out)
  set(${out} "" PARENT_SCOPE)
  if(NOT WEFT_HIPCC OR NOT WEFT_HIP_INCLUDE_DIR)
    set(${out} "HIP's compiler, hipcc, or its header hip/hip_runtime_api.h was not found" PARENT_SCOPE)
    return()
  endif()
  if(NOT WEFT_HIPCC_WORKS STREQUAL "${WEFT_HIPCC} ${weft_hip_code}")
    set(folder "${PROJECT_BINARY_DIR}/hip")
    file(WRITE "${folder}/probe.hip" "extern \"C\" __global__ void probe(int* at) { *at = 1; }\n")
    execute_process(COMMAND "${WEFT_HIPCC}" --genco -std=c++20 ${weft_hip_code} -o "${folder}/probe.hipfb" "${folder}/probe.hip"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      set(${out} "hipcc cannot compile kernels for ${WEFT_HIP_ARCHITECTURES}" PARENT_SCOPE)
      return()
    endif()
    set(WEFT_HIPCC_WORKS "${WEFT_HIPCC} ${weft_hip_code}" CACHE INTERNAL "The hipcc and the architectures that were tried")
  endif()
endfunction()

if(WEFT_HIP)  # "off" is false, "on" and "auto" are true
  find_program(WEFT_HIPCC hipcc HINTS "$ENV{ROCM_PATH}/bin" "$ENV{HIP_PATH}/bin" /opt/rocm/bin)
  if(WEFT_HIPCC)
    file(REAL_PATH "${WEFT_HIPCC}" hipcc)
    get_filename_component(toolkit "${hipcc}" DIRECTORY)
    find_path(WEFT_HIP_INCLUDE_DIR hip/hip_runtime_api.h HINTS "${toolkit}/../include")
  endif()
  set(reason "")
  if(NOT CMAKE_CROSSCOMPILING)
    weft_hip_reason(reason)
    if(NOT reason)
      set(WEFT_HAVE_HIP ON)
    endif()
  endif()
  if(NOT WEFT_HAVE_HIP AND NOT WEFT_HIP STREQUAL "auto")
    message(FATAL_ERROR "WEFT_HIP is '${WEFT_HIP}', but ${reason}.\n"
                        "  try: the packages hipcc and libamdhip64-dev of Debian, -DWEFT_HIPCC=<the path of hipcc>, or -DWEFT_HIP=off")
  endif()
endif()
if(WEFT_HAVE_HIP)
  message(STATUS "HIP: kernels for architectures ${WEFT_HIP_ARCHITECTURES}")
else()
  message(STATUS "HIP: none ${reason}")
endif()

# weft_hip_kernels(TARGET SOURCE): compiles SOURCE, a .cu file, into one file for all architectures, which device/hip holds.
function(weft_hip_kernels target source)
  set(file "${PROJECT_BINARY_DIR}/hip/kernels.hipfb")
  # A block has at most 512 threads, and so 128 registers for each, or more.
  add_custom_command(OUTPUT "${file}"
    COMMAND "${WEFT_HIPCC}" --genco -x hip -std=c++20 -O3 --gpu-max-threads-per-block=512 ${weft_hip_code} "-I${PROJECT_SOURCE_DIR}/src"
            "-I${PROJECT_SOURCE_DIR}/include" -MD -MF "${file}.d" -MT "${file}" -o "${file}" "${source}"
    DEPENDS "${source}" DEPFILE "${file}.d" COMMENT "Compiling kernels for devices of AMD" VERBATIM)
  set_source_files_properties(weft/device/hip.cpp PROPERTIES OBJECT_DEPENDS "${file}"
    COMPILE_DEFINITIONS "WEFT_HIP_KERNELS=\"${file}\"" SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${target} SYSTEM PRIVATE "${WEFT_HIP_INCLUDE_DIR}")
endfunction()
