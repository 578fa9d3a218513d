"""Shows that each rule of scripts/check-includes.py can fail, and that legal trees pass."""

import contextlib
import importlib.util
import io
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

spec = importlib.util.spec_from_file_location("check_includes", ROOT / "scripts/check-includes.py")
check_includes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_includes)


def violations_in(files):
    """What the check says about a tree of the given files (path -> text)."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        return check_includes.check(root)[1]


class IncludeRules(unittest.TestCase):
    def assert_legal(self, files):
        self.assertEqual(violations_in(files), [])

    def assert_violation(self, files, *fragments):
        found = violations_in(files)
        self.assertEqual(len(found), 1, found)
        for fragment in fragments:
            self.assertIn(fragment, found[0])

    # Direction

    def test_a_layer_may_include_itself_and_what_is_below(self):
        self.assert_legal(
            {
                "src/session/session.cpp": "#include <openenv/session/session.hpp>\n"
                '#include "session/outbox.hpp"\n'
                "#include <openenv/env/environment.hpp>\n"
                "#include <openenv/base/error.hpp>\n"
                "#include <openenv/version.hpp>\n"
                "#include <vector>\n",
                "src/session/outbox.hpp": "#pragma once\n",
            }
        )

    def test_a_layer_above_is_refused(self):
        self.assert_violation(
            {"src/model/field.cpp": "#include <string>\n#include <openenv/env/types.hpp>\n"},
            "src/model/field.cpp:2: ",
            "env is above model",
            "model may include: base",
        )

    def test_a_public_header_obeys_the_direction_too(self):
        self.assert_violation(
            {"include/openenv/wire/codec.hpp": "#include <openenv/session/session.hpp>\n"},
            "include/openenv/wire/codec.hpp:1: ",
            "session is above wire",
        )

    def test_client_and_server_stand_beside_each_other(self):
        self.assert_violation(
            {"src/client/env_client.cpp": "#include <openenv/server/server.hpp>\n"},
            "server and client stand beside each other",
        )
        self.assert_violation(
            {"src/client/env_client.cpp": "#include <openenv/session/session.hpp>\n"}, "session"
        )
        self.assert_violation(
            {"src/server/server.cpp": "#include <openenv/client/env_client.hpp>\n"}, "client"
        )

    def test_net_does_not_know_the_environments(self):
        self.assert_violation(
            {"src/net/listener.cpp": "#include <openenv/env/environment.hpp>\n"}, "beside"
        )

    def test_umbrella_headers_are_not_for_layers(self):
        umbrella = {"include/openenv/openenv.hpp": "#include <openenv/server/serve.hpp>\n"}
        self.assert_legal(umbrella)
        self.assert_violation(
            umbrella | {"src/server/server.cpp": "#include <openenv/openenv.hpp>\n"}, "umbrella"
        )

    def test_an_unknown_layer_is_named(self):
        self.assert_violation(
            {"src/utils/string.cpp": "#include <string>\n"}, "'utils', which is no layer"
        )
        self.assert_violation(
            {"src/server/server.cpp": "#include <openenv/utils/string.hpp>\n"},
            "no layer 'utils'",
        )

    # Walls

    def test_beast_stays_in_net(self):
        for folder in ("src/net", "tests/integration", "bench", "examples/raw_client"):
            self.assert_legal({f"{folder}/a.cpp": "#include <boost/beast/websocket.hpp>\n"})
        for file in (
            "src/server/router.cpp",
            "src/session/session.cpp",
            "src/env/environment.cpp",
            "include/openenv/net/executors.hpp",
            "apps/openenv/main.cpp",
            "envs/echo/main.cpp",
        ):
            with self.subTest(file):
                self.assert_violation(
                    {file: "#include <boost/beast.hpp>\n"}, f"{file}:1: ", "Beast stays"
                )

    def test_values_know_no_asio(self):
        self.assert_violation(
            {"include/openenv/wire/codec.hpp": "#include <boost/asio/awaitable.hpp>\n"},
            "knows no Asio",
        )

    def test_env_may_include_only_the_awaitable(self):
        self.assert_legal({"src/env/a.cpp": "#include <boost/asio/awaitable.hpp>\n"})
        self.assert_violation(
            {"src/env/a.cpp": "#include <boost/asio/ip/tcp.hpp>\n"}, "env may include only"
        )

    def test_session_sees_of_net_only_what_knows_no_socket(self):
        self.assert_legal(
            {
                "src/session/execution.cpp": "#include <openenv/net/executors.hpp>\n"
                "#include <openenv/net/task_group.hpp>\n"
            }
        )
        self.assert_violation(
            {"src/session/execution.cpp": "#include <openenv/net/http_client.hpp>\n"},
            "of net it may include only executors.hpp",
        )

    # Private and public

    def test_private_headers_stay_with_their_target(self):
        private = {"src/net/ws_conn.hpp": "#pragma once\n"}
        for include in ('"net/ws_conn.hpp"', '"../net/ws_conn.hpp"', "<net/ws_conn.hpp>"):
            with self.subTest(include):
                self.assert_violation(
                    private | {"src/server/listener.cpp": f"#include {include}\n"},
                    "src/server/listener.cpp:1: ",
                    "private to net",
                )

    def test_a_private_header_that_is_missing_is_judged_by_its_name(self):
        self.assert_violation(
            {"src/server/listener.cpp": '#include "net/gone.hpp"\n'}, "private to net"
        )

    def test_products_use_public_headers_only(self):
        self.assert_violation(
            {
                "src/server/router.hpp": "#pragma once\n",
                "apps/openenv/main.cpp": '#include "server/router.hpp"\n',
            },
            "private to server",
        )

    def test_tests_may_look_inside(self):
        self.assert_legal(
            {
                "src/server/router.hpp": "#pragma once\n",
                "tests/unit/server/router_test.cpp": '#include "server/router.hpp"\n',
            }
        )

    def test_public_headers_include_nothing_private(self):
        self.assert_violation(
            {
                "src/net/ws_conn.hpp": "#pragma once\n",
                "include/openenv/net/executors.hpp": '#include "net/ws_conn.hpp"\n',
            },
            "is a public header",
        )

    def test_public_headers_are_written_in_angle_brackets(self):
        self.assert_violation(
            {"src/wire/codec.cpp": '#include "openenv/base/error.hpp"\n'},
            "written <openenv/base/error.hpp>",
        )
        self.assert_violation(
            {"tests/unit/wire/codec_test.cpp": '#include "openenv/base/error.hpp"\n'},
            "written <openenv/base/error.hpp>",
        )
        self.assert_legal(
            {
                "src/base/json.cpp": '#include "openenv/base/json.hpp"\n',
                "tests/unit/base/json_test.cpp": '#include "openenv/base/json.hpp"\n',
            }
        )

    def test_layers_know_no_test_code_and_no_product(self):
        self.assert_violation(
            {
                "tests/support/fake_clock.hpp": "#pragma once\n",
                "src/session/clock.cpp": '#include "support/fake_clock.hpp"\n',
            },
            "nothing outside tests",
        )
        self.assert_violation(
            {
                "envs/echo/echo.hpp": "#pragma once\n",
                "src/server/serve.cpp": '#include "../../envs/echo/echo.hpp"\n',
            },
            "knows nothing of the products",
        )

    # Reading

    def test_comments_are_not_includes(self):
        self.assert_legal(
            {
                "src/base/error.cpp": "// #include <openenv/server/server.hpp>\n"
                "/*\n#include <openenv/server/server.hpp>\n*/\n"
            }
        )

    def test_lines_are_counted_across_comments(self):
        self.assert_violation(
            {"src/base/a.cpp": "/* one\ntwo */\n\n#  include <openenv/env/types.hpp>\n"},
            "src/base/a.cpp:4: ",
        )

    # The program

    def test_exit_status_tells_the_three_cases_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "src/base/a.cpp"

            def run():
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    with contextlib.redirect_stderr(out):
                        return check_includes.main([folder]), out.getvalue()

            self.assertEqual(run()[0], 2)
            file.parent.mkdir(parents=True)
            file.write_text("#include <string>\n")
            self.assertEqual(run(), (0, "check-includes: 1 files, 0 violations\n"))
            file.write_text("#include <openenv/env/types.hpp>\n")
            status, text = run()
            self.assertEqual(status, 1)
            self.assertIn("1 violations", text)


if __name__ == "__main__":
    unittest.main()
