# cmake/WeftCompat: interfaces of other libraries, as libraries over weft that are linked in their place.
# Keeps: a face sees weft's public headers only, is built only where WEFT_COMPAT names it, and is installed like weft: a CMake target
# weft::NAME, and a file of pkg-config, weft-NAME.pc.

# weft_compat(NAME DESCRIPTION text SOURCES files... [INCLUDE folder] [HIDES_WEFT] [LINK libraries...] [REQUIRES packages...] [PC_LIBS flags...])
#   makes the library weft-NAME, of files that are looked for in the folder of the caller. INCLUDE is the folder of the headers that
#   programs include, which are installed as they lie there. HIDES_WEFT says that these include no header of weft's: programs then need
#   no C++20, and see none of them. LINK are libraries that programs of the face link, too; REQUIRES and PC_LIBS say the same to pkg-config.
function(weft_compat name)
  cmake_parse_arguments(PARSE_ARGV 1 face "HIDES_WEFT" "DESCRIPTION;INCLUDE" "SOURCES;LINK;REQUIRES;PC_LIBS")
  set(target weft-${name})
  add_library(${target} ${face_SOURCES})
  add_library(weft::${name} ALIAS ${target})
  target_link_libraries(${target} PUBLIC ${face_LINK} PRIVATE "$<BUILD_INTERFACE:weft_flags>")
  if(face_HIDES_WEFT)
    target_link_libraries(${target} PUBLIC MPI::MPI_C PRIVATE weft)
  else()
    target_link_libraries(${target} PUBLIC weft)
  endif()
  string(REPLACE "-" "_" file "${target}")
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME ${file} LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(face_INCLUDE)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/${face_INCLUDE}>"
                                                "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/${target}>")
  endif()
  if(NOT WEFT_INSTALL)
    return()
  endif()
  install(TARGETS ${target} EXPORT weftTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  # In a folder of their own: the other library's headers have the same names.
  set(WEFT_PC_INCLUDE "")
  if(face_INCLUDE)
    install(DIRECTORY "${face_INCLUDE}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${target}")
    set(WEFT_PC_INCLUDE "-I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}/${target}")
  endif()
  file(RELATIVE_PATH WEFT_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" WEFT_PC_UP "${WEFT_PC_UP}")
  set(WEFT_PC_NAME ${target})
  set(WEFT_PC_DESCRIPTION "${face_DESCRIPTION}")
  list(JOIN face_REQUIRES " " WEFT_PC_REQUIRES)
  list(JOIN face_PC_LIBS " " WEFT_PC_LIBS)
  set(WEFT_PC_LIBS "-l${file} ${WEFT_PC_LIBS}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/weft-compat.pc.in" "${PROJECT_BINARY_DIR}/${target}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${target}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# weft_compat_fortran(NAME): modules for Fortran, whose source is in the folder fortran/ of the caller, with a CMakeLists.txt that makes
#   weft::NAME of it. It is installed as it lies there, and find_package(weft COMPONENTS NAME) builds it with the user's compiler.
function(weft_compat_fortran name)
  if(WEFT_INSTALL)
    install(DIRECTORY fortran/ DESTINATION "${CMAKE_INSTALL_DATADIR}/weft/compat/${name}")
  endif()
endfunction()

# weft_compat_faces(OUT): the names of the faces to build, the folders of src/weft/compat that WEFT_COMPAT asks for.
function(weft_compat_faces out)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/weft/compat/*/CMakeLists.txt")
  set(all "")
  foreach(file IN LISTS files)
    get_filename_component(folder "${file}" DIRECTORY)
    get_filename_component(name "${folder}" NAME)
    list(APPEND all ${name})
  endforeach()
  if(WEFT_COMPAT STREQUAL "all")
    set(faces ${all})
  elseif(WEFT_COMPAT STREQUAL "none")
    set(faces "")
  else()
    set(faces ${WEFT_COMPAT})
  endif()
  foreach(name IN LISTS faces)
    if(NOT name IN_LIST all)
      list(JOIN all ", " all)
      message(FATAL_ERROR "WEFT_COMPAT names '${name}', which is no interface of weft's\n  try: all, none, or a list of ${all}")
    endif()
  endforeach()
  set(${out} "${faces}" PARENT_SCOPE)
endfunction()
