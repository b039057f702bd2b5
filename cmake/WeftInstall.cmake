# cmake/WeftInstall: what `cmake --install` puts where: library, headers, program, CMake package, pkg-config file, licence.
# Keeps: nothing that is installed names a folder of the machine it was built on; MPI and, for a static library, fmt, the FFT
# libraries and OpenMP are found where it is used. CMAKE_INSTALL_RPATH is the builder's to set: oneMKL's folder, for one.
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/weft" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/fortran" DESTINATION "${CMAKE_INSTALL_DATADIR}/weft")
install(TARGETS weft weft-machines EXPORT weftTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET weft_main)
  install(TARGETS weft_main RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(WEFT_HAVE_MKL AND NOT CMAKE_INSTALL_RPATH)
  install(CODE "message(\"weft: programs look for oneMKL in LD_LIBRARY_PATH, as -DCMAKE_INSTALL_RPATH=$<TARGET_FILE_DIR:MKL::mkl_core> was not given\")")
endif()

set(WEFT_SHARES_FFTW OFF)
if(WEFT_HAVE_FFTW AND NOT WEFT_FFTW_OBJECT)
  set(WEFT_SHARES_FFTW ON)
endif()
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/weft")
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION "${package_folder}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/weftConfig.cmake.in" "${PROJECT_BINARY_DIR}/weftConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}" PATH_VARS CMAKE_INSTALL_DATADIR NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weftConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weftConfig.cmake" "${PROJECT_BINARY_DIR}/weftConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindFFTW3.cmake"
        DESTINATION "${package_folder}")

# pkg-config: a static library needs what it is made with at the user's link, a shared one brings it.
set(WEFT_PC_REQUIRES "")
set(WEFT_PC_LIBS "")
if(WEFT_MPI_NAME STREQUAL "openmpi")
  list(APPEND WEFT_PC_REQUIRES ompi-c)
elseif(WEFT_MPI_NAME STREQUAL "mpich")
  list(APPEND WEFT_PC_REQUIRES mpich)
endif()
if(NOT BUILD_SHARED_LIBS)
  if(WEFT_HAVE_FFTW AND NOT WEFT_FFTW_OBJECT)
    foreach(library IN ITEMS "${FFTW3_DOUBLE_LIBRARY}" "${FFTW3_SINGLE_LIBRARY}")
      get_filename_component(file "${library}" NAME)
      list(APPEND WEFT_PC_LIBS "-l:${file}")  # archives where there are some, as FindFFTW3 says why
    endforeach()
    list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE dl)
    list(APPEND WEFT_PC_LIBS ${dl})
  endif()
  list(APPEND WEFT_PC_LIBS ${OpenMP_CXX_FLAGS} -lm)
  foreach(library IN ITEMS stdc++ c++)  # for programs that a C compiler links
    if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
      list(APPEND WEFT_PC_LIBS -l${library})
    endif()
  endforeach()
  list(APPEND WEFT_PC_REQUIRES fmt)
  if(WEFT_HAVE_MKL)
    if(WEFT_MKL_THREADING STREQUAL "gnu_thread")
      list(APPEND WEFT_PC_REQUIRES mkl-dynamic-lp64-gomp)
    else()
      list(APPEND WEFT_PC_REQUIRES mkl-dynamic-lp64-seq)
    endif()
  endif()
endif()
list(JOIN WEFT_PC_LIBS " " WEFT_PC_LIBS)
list(JOIN WEFT_PC_REQUIRES " " WEFT_PC_REQUIRES)
# The prefix is found from the file's own place, so a moved installation still works.
file(RELATIVE_PATH WEFT_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" WEFT_PC_UP "${WEFT_PC_UP}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/weft.pc.in" "${PROJECT_BINARY_DIR}/weft.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weft.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
