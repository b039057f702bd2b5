# cmake/WeftEngines: which local FFT libraries this build has. Each is optional, at least one is needed.
# Sets: WEFT_HAVE_FFTW, WEFT_HAVE_MKL, the list WEFT_ENGINE_LIBRARIES, FFTW first (see FindFFTW3), and WEFT_FFTW_OBJECT, an object
# file with a copy of FFTW for weft alone (see WeftOwnFFTW); it is empty where weft shares FFTW with the application.
include(WeftOwnFFTW)
set(WEFT_HAVE_FFTW OFF)
set(WEFT_HAVE_MKL OFF)
set(WEFT_ENGINE_LIBRARIES "")
set(WEFT_FFTW_OBJECT "")

if(WEFT_FFTW)  # "off" is false, "on" and "auto" are true
  find_package(FFTW3 QUIET)
  if(FFTW3_FOUND)
    set(WEFT_HAVE_FFTW ON)
    if(WEFT_OWN_FFTW)  # "off" is false
      weft_own_fftw(WEFT_FFTW_OBJECT reason)
      if(NOT WEFT_FFTW_OBJECT AND NOT WEFT_OWN_FFTW STREQUAL "auto")
        message(FATAL_ERROR "WEFT_OWN_FFTW is '${WEFT_OWN_FFTW}', but a copy of FFTW for weft alone cannot be made: ${reason}\n"
                            "  try: FFTW's static archives (libfftw3.a, libfftw3f.a) and GNU binutils, or -DWEFT_OWN_FFTW=off")
      endif()
    endif()
    if(WEFT_FFTW_OBJECT)
      list(APPEND WEFT_ENGINE_LIBRARIES m)
      message(STATUS "FFTW: a copy for weft alone")
    else()
      list(APPEND WEFT_ENGINE_LIBRARIES FFTW3::double FFTW3::single ${CMAKE_DL_LIBS})
      message(STATUS "FFTW: shared with the application ${reason}")
    endif()
  elseif(NOT WEFT_FFTW STREQUAL "auto")
    message(FATAL_ERROR "WEFT_FFTW is '${WEFT_FFTW}', but FFTW 3 in double and single precision was not found.\n"
                        "  try: apt-get install libfftw3-dev, or -DCMAKE_PREFIX_PATH=<where it is>")
  endif()
endif()

if(WEFT_MKL)
  # oneMKL's integers have 64 bits in DFTI's interface, whatever the others have. Its threads are those of OpenMP that weft has, too;
  # other compilers' OpenMP is not Intel's.
  set(MKL_INTERFACE lp64)
  set(WEFT_MKL_THREADING sequential)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(WEFT_MKL_THREADING gnu_thread)
  endif()
  set(MKL_THREADING ${WEFT_MKL_THREADING})
  set(MKL_LINK dynamic)
  find_package(MKL CONFIG QUIET HINTS "${PROJECT_SOURCE_DIR}/.venv" "$ENV{VIRTUAL_ENV}" "$ENV{MKLROOT}")
  if(MKL_FOUND)
    set(WEFT_HAVE_MKL ON)
    list(APPEND WEFT_ENGINE_LIBRARIES MKL::MKL)
  elseif(NOT WEFT_MKL STREQUAL "auto")
    message(FATAL_ERROR "WEFT_MKL is '${WEFT_MKL}', but oneMKL was not found.\n"
                        "  try: ./dev setup, or -DMKL_DIR=<the folder with MKLConfig.cmake>")
  endif()
endif()

if(NOT WEFT_HAVE_FFTW AND NOT WEFT_HAVE_MKL)
  message(FATAL_ERROR "weft needs at least one FFT library: FFTW 3 (Debian: libfftw3-dev) or oneMKL (pip: mkl-devel).\n"
                      "  WEFT_FFTW is '${WEFT_FFTW}', WEFT_MKL is '${WEFT_MKL}', and neither was found\n"
                      "  try: ./dev setup, or -DCMAKE_PREFIX_PATH=<where one is>")
endif()
message(STATUS "FFT engines: FFTW ${WEFT_HAVE_FFTW}, oneMKL ${WEFT_HAVE_MKL}")
