# What users link: OpenEnv::env to write an environment, OpenEnv::server to serve it.
# OpenEnv::client to play in one. OpenEnv::server and OpenEnv::client are the layers themselves; each brings every layer it needs along.
add_library(openenv_all INTERFACE)
add_library(OpenEnv::openenv ALIAS openenv_all)
set_target_properties(openenv_all PROPERTIES EXPORT_NAME openenv)
set_property(GLOBAL APPEND PROPERTY OPENENV_EXPORTED openenv_all)
target_link_libraries(openenv_all INTERFACE OpenEnv::server OpenEnv::client)
