# Compiles SOURCE with MISTAKE defined and checks that the compiler refuses it with the sentence
# EXPECTED; without a sentence, that it compiles. Run as: cmake -D... -P expect_error.cmake
set(define "")
if(EXPECTED)
  set(define -DMISTAKE_${MISTAKE})
endif()
separate_arguments(includes UNIX_COMMAND "${INCLUDES}")
execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only ${includes} ${define} ${SOURCE}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT EXPECTED)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the file must compile without a mistake in it:\n${output}")
  endif()
  return()
endif()
if(result EQUAL 0)
  message(FATAL_ERROR "${MISTAKE} compiles, but must not")
endif()
string(FIND "${output}" "${EXPECTED}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${MISTAKE} does not say '${EXPECTED}' but:\n${output}")
endif()
