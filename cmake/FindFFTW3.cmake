# cmake/FindFFTW3: FFTW 3 in double and single precision, as the static archives where there are any.
# Why static: oneMKL's libmkl_intel_lp64 exports the whole fftw_* interface too and takes it over if it comes first;
# FFTW inside the program cannot be replaced. Link FFTW3::* before MKL::MKL all the same.
# Defines: FFTW3::double, FFTW3::single. Installed beside weftConfig.cmake, which uses it.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_FFTW3 QUIET fftw3)
  pkg_check_modules(PC_FFTW3F QUIET fftw3f)
endif()

find_path(FFTW3_INCLUDE_DIR fftw3.h HINTS ${PC_FFTW3_INCLUDE_DIRS} ${PC_FFTW3_INCLUDEDIR})
find_library(FFTW3_DOUBLE_LIBRARY NAMES libfftw3.a fftw3 HINTS ${PC_FFTW3_LIBRARY_DIRS} ${PC_FFTW3_LIBDIR})
find_library(FFTW3_SINGLE_LIBRARY NAMES libfftw3f.a fftw3f HINTS ${PC_FFTW3F_LIBRARY_DIRS} ${PC_FFTW3F_LIBDIR})
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_DOUBLE_LIBRARY FFTW3_SINGLE_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW3
  REQUIRED_VARS FFTW3_DOUBLE_LIBRARY FFTW3_SINGLE_LIBRARY FFTW3_INCLUDE_DIR
  VERSION_VAR PC_FFTW3_VERSION)

if(FFTW3_FOUND)
  foreach(precision IN ITEMS double single)
    string(TOUPPER ${precision} upper)
    if(NOT TARGET FFTW3::${precision})
      add_library(FFTW3::${precision} UNKNOWN IMPORTED)
      set_target_properties(FFTW3::${precision} PROPERTIES
        IMPORTED_LOCATION "${FFTW3_${upper}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${FFTW3_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES m)
    endif()
  endforeach()
endif()
