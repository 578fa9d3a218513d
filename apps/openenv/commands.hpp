#pragma once

/// `openenv serve NAME|PATH [flags]`. argv[0] is "serve". Returns the exit code.
int serve_command(int argc, const char* const* argv);

/// `openenv list [--json]`. argv[0] is "list". Returns the exit code.
int list_command(int argc, const char* const* argv);
