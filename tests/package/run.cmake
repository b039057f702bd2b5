# tests/package/run: installs weft into a fresh folder, then builds and runs a user's program against it,
# once through find_package(weft) and once through pkg-config.
# In: BUILD, CONSUMER, EXAMPLE, WORK, GENERATOR, LAUNCHER (a list joined by |, may be empty), CXX.
string(REPLACE "|" ";" launcher "${LAUNCHER}")
if(launcher)
  list(APPEND launcher -n 2)
endif()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "this failed (${code}): ${line}\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")

# A user's program: the first example where there is one, which checks its own answer.
set(program "${EXAMPLE}")
if(NOT EXISTS "${program}")
  set(program "${CONSUMER}/include_only.cpp")
endif()

run("${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/consumer" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DPROGRAM=${program}" -DCMAKE_BUILD_TYPE=Release)
run("${CMAKE_COMMAND}" --build "${WORK}/consumer")
run(${launcher} "${WORK}/consumer/consumer")
message(STATUS "find_package(weft): ${said}")

find_program(PKG_CONFIG pkg-config REQUIRED)
file(GLOB_RECURSE description "${WORK}/prefix/*/weft.pc")
get_filename_component(folder "${description}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${folder}")
run("${PKG_CONFIG}" --cflags weft)
separate_arguments(compile_flags UNIX_COMMAND "${said}")
run("${PKG_CONFIG}" --libs weft)
separate_arguments(link_flags UNIX_COMMAND "${said}")
run("${CXX}" -std=c++20 ${compile_flags} "${program}" -o "${WORK}/by_pkg_config" ${link_flags})
run(${launcher} "${WORK}/by_pkg_config")
message(STATUS "pkg-config weft: ${said}")
