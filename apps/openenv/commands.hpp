#pragma once

/// `openenv serve NAME|PATH [flags]`. argv[0] is "serve". Returns the exit code.
int serve_command(int argc, const char* const* argv);

/// `openenv list [--json]`. argv[0] is "list". Returns the exit code.
int list_command(int argc, const char* const* argv);

/// `openenv schema URL [--json]`. argv[0] is "schema". Returns the exit code.
int schema_command(int argc, const char* const* argv);

/// `openenv step URL JSON... [flags]`. argv[0] is "step". Returns the exit code.
int step_command(int argc, const char* const* argv);

/// `openenv play URL [flags]`. argv[0] is "play". Returns the exit code.
int play_command(int argc, const char* const* argv);

/// `openenv bench URL [flags]`. argv[0] is "bench". Returns the exit code.
int bench_command(int argc, const char* const* argv);
