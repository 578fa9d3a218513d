# The install tree: static libraries, public headers, the package for find_package(OpenEnv), and the
# program. Every target that openenv_layer() made is exported as OpenEnv::<layer>.
include(CMakePackageConfigHelpers)

set(OPENENV_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/OpenEnv)

get_property(openenv_exported GLOBAL PROPERTY OPENENV_EXPORTED)
foreach(target ${openenv_exported})
  get_target_property(header_sets ${target} INTERFACE_HEADER_SETS)
  if(header_sets)
    set(headers FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  else()
    set(headers)
  endif()
  install(TARGETS ${target} EXPORT OpenEnvTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${headers})
endforeach()
install(EXPORT OpenEnvTargets NAMESPACE OpenEnv:: DESTINATION ${OPENENV_CMAKE_DIR})

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/OpenEnvConfig.cmake.in ${PROJECT_BINARY_DIR}/OpenEnvConfig.cmake
  INSTALL_DESTINATION ${OPENENV_CMAKE_DIR})
# Before 1.0 a minor version may break what was: 0.2 does not stand in for 0.1.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/OpenEnvConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES
    ${PROJECT_BINARY_DIR}/OpenEnvConfig.cmake
    ${PROJECT_BINARY_DIR}/OpenEnvConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/Findre2.cmake
  DESTINATION ${OPENENV_CMAKE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET openenv)
  install(TARGETS openenv RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
