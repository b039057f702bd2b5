# cmake/WeftInstall: what `cmake --install` puts where: program, headers, libraries, CMake package, pkg-config file.
# Keeps: an installed weft knows nothing of the source tree; where MKL was found is a default a user can override.
include(CMakePackageConfigHelpers)

set(installed_targets weft)
foreach(floor IN LISTS WEFT_FLOORS)
  list(APPEND installed_targets weft_${floor})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/weft/${floor}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/weft" OPTIONAL
          FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/weft" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" OPTIONAL
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS ${installed_targets} EXPORT weftTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET weft_main)
  set(engine_folders "")
  if(WEFT_HAVE_MKL)
    get_target_property(mkl_core MKL::mkl_core IMPORTED_LOCATION)
    get_filename_component(engine_folders "${mkl_core}" DIRECTORY)
  endif()
  set_target_properties(weft_main PROPERTIES INSTALL_RPATH "${engine_folders}")
  install(TARGETS weft_main RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/weft")
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION "${package_folder}")
configure_package_config_file(cmake/weftConfig.cmake.in "${PROJECT_BINARY_DIR}/weftConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weftConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weftConfig.cmake" "${PROJECT_BINARY_DIR}/weftConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindFFTW3.cmake"
        DESTINATION "${package_folder}")

# pkg-config: the libraries are static, so the plain --libs names everything they need. Top floor first.
set(WEFT_PC_LIBS "")
foreach(floor IN LISTS WEFT_FLOORS)
  get_target_property(type weft_${floor} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(PREPEND WEFT_PC_LIBS "-lweft_${floor} ")
  endif()
endforeach()
if(WEFT_HAVE_FFTW)
  string(APPEND WEFT_PC_LIBS "${FFTW3_DOUBLE_LIBRARY} ${FFTW3_SINGLE_LIBRARY} ")
endif()
if(WEFT_HAVE_MKL)
  foreach(library IN ITEMS mkl_intel_lp64 mkl_sequential mkl_core)
    get_target_property(place MKL::${library} IMPORTED_LOCATION)
    string(APPEND WEFT_PC_LIBS "${place} ")
  endforeach()
  get_filename_component(mkl_folder "${place}" DIRECTORY)
  string(APPEND WEFT_PC_LIBS "-Wl,-rpath,${mkl_folder} ")
endif()
list(JOIN MPI_C_LIBRARIES " " mpi_libraries)
string(APPEND WEFT_PC_LIBS "${mpi_libraries} ${OpenMP_CXX_FLAGS} -lm")
set(WEFT_PC_CFLAGS "-DOMPI_SKIP_MPICXX=1 -DMPICH_SKIP_MPICXX=1")
foreach(folder IN LISTS MPI_C_INCLUDE_DIRS)
  string(APPEND WEFT_PC_CFLAGS " -I${folder}")
endforeach()
# The prefix is found from the file's own place, so a moved installation still works.
file(RELATIVE_PATH WEFT_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" WEFT_PC_UP "${WEFT_PC_UP}")
configure_file(cmake/weft.pc.in "${PROJECT_BINARY_DIR}/weft.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weft.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
