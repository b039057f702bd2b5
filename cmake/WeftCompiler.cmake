# cmake/WeftCompiler: language level, warnings, sanitizers, where programs go.
# Keeps: no -march=native, a build runs on any x86-64; flags for our own sources never reach a user's.
if(WEFT_IS_TOP)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# The same object files go into a static and into a shared library; the static one also into a Python module or a plug-in.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# What all our own sources are compiled with; a floor's also with -Wconversion (see WeftFloor).
add_library(weft_flags INTERFACE)
target_compile_options(weft_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wunused -Wformat=2
  $<$<BOOL:${WEFT_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op>
  # GCC 12 sees overlaps in std::string's own code (its bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

if(WEFT_SANITIZE)
  add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${WEFT_SANITIZE})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
add_compile_definitions($<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

# Texts of errors name a file by its place in the tree, not by where the tree was built.
add_compile_options("$<$<NOT:$<COMPILE_LANGUAGE:Fortran>>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>")

find_package(OpenMP REQUIRED COMPONENTS CXX)
