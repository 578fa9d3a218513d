#include "run_command.hpp"

#include "exit_code.hpp"
#include "failure.hpp"
#include "printable.hpp"
#include "wrong_usage.hpp"

#include <openenv/base/error.hpp>

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <string>

namespace cli {

namespace {

int ended_with(int code, const std::string& text) {
    std::cerr << "error: " << text << std::flush;
    return code;
}

int guarded(const std::function<int()>& command) {
    try {
        return command();
    } catch (const WrongUsage& error) {
        return ended_with(kWrongUsage, printable(error.what()) + "\n");
    } catch (const openenv::Exception& error) {
        const bool setting = error.code() == openenv::Errc::configuration;
        return ended_with(setting ? kWrongUsage : kFailed, failure_text(error));
    } catch (const std::exception& error) {
        return ended_with(kFailed, printable(error.what()) + "\n");
    }
}

}  // namespace

int run_command(
    CLI::App& app, int argc, const char* const* argv, const std::function<int()>& command
) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kDone : kWrongUsage;
    }
    return guarded(command);
}

}  // namespace cli
