# cmake/WeftOwnFFTW: a copy of FFTW that only weft uses, made of FFTW's static archives when the build is configured.
# Why: FFTW keeps its number of threads and its wisdom in global variables, its planner is not thread-safe, and fftw_cleanup()
# invalidates the plans of everybody. So weft and the application must not share one copy.
# Keeps: the copy has no global symbols but weft_own_fftw_* and weft_own_fftwf_*, so nothing else can be bound to it or replace it.

# The functions of FFTW that fft/fftw calls in both precisions. That file has the same list.
set(WEFT_FFTW_FUNCTIONS plan_guru64_dft plan_guru64_dft_r2c plan_guru64_dft_c2r plan_guru64_r2r execute_dft execute_dft_r2c
    execute_dft_c2r execute_r2r destroy_plan alignment_of export_wisdom_to_string import_wisdom_from_string forget_wisdom free)

# weft_own_fftw(OBJECT REASON): sets OBJECT to the object file with the copy; if it cannot be made, sets REASON and leaves OBJECT empty.
function(weft_own_fftw object reason)
  set(${object} "" PARENT_SCOPE)
  set(${reason} "" PARENT_SCOPE)
  set(archives "${FFTW3_DOUBLE_LIBRARY}" "${FFTW3_SINGLE_LIBRARY}")
  if(NOT archives MATCHES "^[^;]*\\.a;[^;]*\\.a$")
    set(${reason} "FFTW is here as shared libraries only" PARENT_SCOPE)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/own_fftw")
  set(file "${folder}/weft_own_fftw.o")
  set(names fftw_version)
  foreach(function IN LISTS WEFT_FFTW_FUNCTIONS)
    list(APPEND names fftw_${function} fftwf_${function})
  endforeach()
  set(needed "")
  set(renamed "")
  foreach(name IN LISTS names)
    list(APPEND needed -u ${name})
    list(APPEND renamed --redefine-sym ${name}=weft_own_${name} --keep-global-symbol=weft_own_${name})
  endforeach()
  file(MAKE_DIRECTORY "${folder}")
  foreach(command IN ITEMS "${CMAKE_LINKER};-r;${needed};-o;${folder}/linked.o;${archives}"
                           "${CMAKE_OBJCOPY};${renamed};${folder}/linked.o;${folder}/renamed.o")
    execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
      list(GET command 0 program)
      string(STRIP "${said}" said)
      set(${reason} "'${program}' failed: ${status} ${said}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  file(COPY_FILE "${folder}/renamed.o" "${file}" ONLY_IF_DIFFERENT)
  file(REMOVE "${folder}/linked.o" "${folder}/renamed.o")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${archives})
  set(${object} "${file}" PARENT_SCOPE)
endfunction()
