include(GoogleTest)

# One precompiled header for all tests, made with the first. It holds headers of others only: ours
# are included where they are used, and a preset without it shows where one is missing.
function(openenv_use_test_pch name)
  if(NOT TARGET openenv_test_pch)
    add_library(openenv_test_pch OBJECT ${PROJECT_SOURCE_DIR}/tests/support/precompiled.cpp)
    target_link_libraries(openenv_test_pch PRIVATE OpenEnv::net GTest::gmock)
    openenv_compile_settings(openenv_test_pch)
    openenv_test_settings(openenv_test_pch)
    target_precompile_headers(openenv_test_pch PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/precompiled.hpp)
  endif()
  # As the header was compiled.
  target_compile_definitions(${name} PRIVATE BOOST_ASIO_NO_DEPRECATED)
  target_precompile_headers(${name} REUSE_FROM openenv_test_pch)
endfunction()

function(openenv_test_settings name)
  # A test runs once: half the time to compile is worth more than a faster program.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(OPENENV_TEST_PCH)
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
  endif()
endfunction()

# openenv_test(NAME SOURCES... LIBRARIES... LABELS...)
function(openenv_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  openenv_compile_settings(${name})
  openenv_test_settings(${name})
  if(OPENENV_TEST_PCH)
    openenv_use_test_pch(${name})
  endif()
  gtest_discover_tests(${name} PROPERTIES LABELS "${arg_LABELS}" DISCOVERY_TIMEOUT 60 TIMEOUT 300)
endfunction()
