# cmake/WeftHeaders: fmt and nlohmann-json, which weft is compiled with: the system's, and for the package for Python those of PyPI's
# packages cmeel-fmt and nlohmann-json, which pip has put among the prefixes.
# Sets: fmt::fmt and nlohmann_json::nlohmann_json.
set(fmt_of_pypi "")
set(json_of_pypi "")
if(WEFT_PYTHON STREQUAL "package")
  list(TRANSFORM CMAKE_PREFIX_PATH APPEND "/cmeel.prefix/include" OUTPUT_VARIABLE fmt_of_pypi)
  list(TRANSFORM CMAKE_PREFIX_PATH APPEND "/nlohmann_json/include" OUTPUT_VARIABLE json_of_pypi)
endif()
find_path(WEFT_PYPI_FMT fmt/format-inl.h PATHS ${fmt_of_pypi} NO_DEFAULT_PATH DOC "The headers of PyPI's cmeel-fmt")
find_path(WEFT_PYPI_JSON nlohmann/json.hpp PATHS ${json_of_pypi} NO_DEFAULT_PATH DOC "The headers of PyPI's nlohmann-json")
mark_as_advanced(WEFT_PYPI_FMT WEFT_PYPI_JSON)

if(WEFT_PYPI_FMT)
  # What fmt's own library has for char, compiled into the modules: the package needs no library of fmt's where it is used.
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/fmt.cpp" CONTENT [[
#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
}
FMT_END_NAMESPACE
]])
  add_library(weft_fmt STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/fmt.cpp")
  target_include_directories(weft_fmt SYSTEM PUBLIC "${WEFT_PYPI_FMT}")
  add_library(fmt::fmt ALIAS weft_fmt)
else()
  find_package(fmt QUIET)
endif()
if(WEFT_PYPI_JSON)
  add_library(weft_json INTERFACE)
  target_include_directories(weft_json SYSTEM INTERFACE "${WEFT_PYPI_JSON}")
  add_library(nlohmann_json::nlohmann_json ALIAS weft_json)
else()
  find_package(nlohmann_json QUIET)  # headers only, which users of the library do not need
endif()

set(missing "")
if(NOT TARGET fmt::fmt)
  list(APPEND missing "fmt (Debian: libfmt-dev)")
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)
  list(APPEND missing "nlohmann-json (Debian: nlohmann-json3-dev)")
endif()
if(missing)
  list(JOIN missing " and " missing)
  message(FATAL_ERROR "weft is compiled with ${missing}, which was not found.\n  try: apt-get install libfmt-dev nlohmann-json3-dev, or -DCMAKE_PREFIX_PATH=<where they are>")
endif()
