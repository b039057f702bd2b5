# cmake/WeftFloor: a floor of src/weft as a static library; adding a file to a floor adds it to the build.
# Keeps: a floor sees only the floors it names, so an include upwards fails to link as well as to pass its test.
# Tests and the program link floors. Users link `weft`, which is made of the same object files, and is all that is installed.

# weft_floor(NAME [BELOW floors...] [LINK libraries...] [WITHOUT files...])
#   makes the library weft_NAME of the .cpp files in src/weft/NAME and its folders, less the files named by WITHOUT;
#   LINK are libraries its sources use and its users only link. A floor without sources is an INTERFACE library.
function(weft_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 floor "" "" "BELOW;LINK;WITHOUT")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/weft/${name}/*.cpp")
  foreach(file IN LISTS floor_WITHOUT)
    list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/src/weft/${name}/${file}")
  endforeach()
  list(TRANSFORM floor_BELOW PREPEND weft_)
  set(include_roots "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")

  if(sources)
    add_library(weft_${name} STATIC EXCLUDE_FROM_ALL ${sources})
    target_include_directories(weft_${name} PUBLIC ${include_roots})
    target_compile_features(weft_${name} PUBLIC cxx_std_20)
    target_link_libraries(weft_${name} PUBLIC ${floor_BELOW} PRIVATE ${floor_LINK} weft_flags)
    # Holds the rule that only comm/ narrows counts. Its sign half stays off: a span's size() beside an int64 count is
    # everywhere and harmless.
    target_compile_options(weft_${name} PRIVATE -Wconversion -Wno-sign-conversion)
  else()
    add_library(weft_${name} INTERFACE)
    target_include_directories(weft_${name} INTERFACE ${include_roots})
    target_compile_features(weft_${name} INTERFACE cxx_std_20)
    target_link_libraries(weft_${name} INTERFACE ${floor_BELOW} ${floor_LINK})
  endif()
endfunction()

# weft_floor_scope(NAME OUT): PUBLIC, or INTERFACE while the floor has no sources: what its users get too.
function(weft_floor_scope name out)
  get_target_property(type weft_${name} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(${out} INTERFACE PARENT_SCOPE)
  else()
    set(${out} PUBLIC PARENT_SCOPE)
  endif()
endfunction()

# weft_floor_uses(NAME [libraries...]): what the floor's headers need too, so its users get it as well.
function(weft_floor_uses name)
  weft_floor_scope(${name} scope)
  target_link_libraries(weft_${name} ${scope} ${ARGN})
endfunction()

# weft_floor_defines(NAME [definitions...]): macros for the floor and its users.
function(weft_floor_defines name)
  weft_floor_scope(${name} scope)
  target_compile_definitions(weft_${name} ${scope} ${ARGN})
endfunction()

# weft_floor_objects(OUT [floors...]): the object files of these floors.
function(weft_floor_objects out)
  set(objects "")
  foreach(floor IN LISTS ARGN)
    get_target_property(type weft_${floor} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND objects "$<TARGET_OBJECTS:weft_${floor}>")
    endif()
  endforeach()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

# weft_floor_for_mpi(NAME MPI includes...): the object library weft_NAME_MPI of the files of floor NAME, which find another mpi.h
# than that of this build's MPI in the folders `includes`.
function(weft_floor_for_mpi name mpi)
  set(target weft_${name}_${mpi})
  get_target_property(sources weft_${name} SOURCES)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  foreach(property IN ITEMS LINK_LIBRARIES INCLUDE_DIRECTORIES COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FEATURES)
    set_property(TARGET ${target} PROPERTY ${property} "$<TARGET_PROPERTY:weft_${name},${property}>")
  endforeach()
  target_include_directories(${target} SYSTEM BEFORE PRIVATE ${ARGN})
endfunction()
