# Warnings and sanitizers for our own code. PRIVATE throughout: nothing of this reaches a consumer.
function(openenv_compile_settings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
    -Woverloaded-virtual -Wnon-virtual-dtor -Wcast-qual -Wimplicit-fallthrough -Wextra-semi -Wundef
    -Wno-missing-field-initializers
    # gcc 12 at -O1 takes Asio's recycled coroutine frames for memory of another allocator.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
    $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
    # gcc 12 at -O2 and above is wrong about std::string, and about members of aggregates.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    $<$<BOOL:${OPENENV_WERROR}>:-Werror>)
  if(OPENENV_SANITIZE STREQUAL "address")
    # Not vptr: its check opens a pipe, and takes every object for a broken one in a process that has
    # no descriptor left.
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all
      -fno-sanitize=vptr -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  elseif(OPENENV_SANITIZE STREQUAL "thread")
    target_compile_options(${target} PRIVATE -fsanitize=thread $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
    target_link_options(${target} PRIVATE -fsanitize=thread)
  elseif(OPENENV_SANITIZE)
    message(FATAL_ERROR "OPENENV_SANITIZE is '${OPENENV_SANITIZE}'; it takes address or thread")
  endif()
endfunction()

# openenv_layer(NAME SOURCES... HEADERS... PUBLIC... PRIVATE...)
# One static library per folder, or an interface library where there are no sources. HEADERS are the
# installed ones, relative to include/.
function(openenv_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE" ${ARGN})
  set(target openenv_${name})
  set(visible PUBLIC)
  if(NOT arg_SOURCES)
    set(visible INTERFACE)
    add_library(${target} INTERFACE)
  else()
    add_library(${target} STATIC ${arg_SOURCES})
  endif()
  add_library(OpenEnv::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY OPENENV_EXPORTED ${target})
  target_compile_features(${target} ${visible} cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF VERIFY_INTERFACE_HEADER_SETS ON)
  list(TRANSFORM arg_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/)
  target_sources(${target} ${visible} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${arg_HEADERS})
  if(NOT arg_SOURCES)
    return()
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  openenv_compile_settings(${target})
endfunction()
