"""Shows that scripts/count-tests.py counts what ctest and pytest write, and fails when it must."""

import contextlib
import importlib.util
import io
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

spec = importlib.util.spec_from_file_location("count_tests", ROOT / "scripts/count-tests.py")
count_tests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(count_tests)

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="6" failures="1" disabled="1" skipped="3">
  <testcase name="passes" status="run"><system-out/></testcase>
  <testcase name="fails" status="fail"><failure message=""/>
    <system-out>expected 3, found 4</system-out></testcase>
  <testcase name="skips" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
  <testcase name="skips, gtest" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
  <testcase name="disabled" status="disabled"/>
  <testcase name="missing" status="notrun">
    <skipped message="Unable to find executable"/></testcase>
</testsuite>
"""

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">
  <testcase name="passes"/>
  <testcase name="fails"><failure message="assert 1 == 2">a.py:7: AssertionError</failure></testcase>
  <testcase name="fixture breaks"><error message="failed on setup"/></testcase>
  <testcase name="skips"><skipped type="pytest.skip" message="no network"/></testcase>
</testsuite></testsuites>
"""

PASSING = '<testsuite><testcase name="a" status="run"/><testcase name="b"/></testsuite>'


class CountTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_on(self, **files):
        for name, text in files.items():
            (self.folder / f"{name}.xml").write_text(text)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                status = count_tests.main([str(self.folder)])
        self.printed = out.getvalue()
        return status, self.printed.splitlines()[-1], errors.getvalue()

    def test_ctest_results(self):
        status, last, _ = self.run_on(ctest=CTEST)
        self.assertEqual((status, last), (1, "1 passed, 2 failed, 3 skipped"))

    def test_pytest_results(self):
        status, last, _ = self.run_on(pytest=PYTEST)
        self.assertEqual((status, last), (1, "1 passed, 2 failed, 1 skipped"))

    def test_failures_are_named_with_what_they_printed(self):
        self.run_on(ctest=CTEST, pytest=PYTEST)
        self.assertIn("ctest.xml: fails\nexpected 3, found 4\n", self.printed)
        self.assertIn("ctest.xml: missing\n(it printed nothing)\n", self.printed)
        self.assertIn("pytest.xml: fails\na.py:7: AssertionError\n", self.printed)
        self.assertNotIn("xml: passes", self.printed)
        self.assertNotIn("xml: skips", self.printed)

    def test_files_are_added_up(self):
        status, last, _ = self.run_on(one=PASSING, two=PASSING)
        self.assertEqual((status, last), (0, "4 passed, 0 failed"))

    def test_no_results_is_a_failure(self):
        status, last, errors = self.run_on()
        self.assertEqual((status, last), (1, "0 passed, 0 failed"))
        self.assertIn("no results", errors)

    def test_a_stage_that_ran_nothing_is_a_failure(self):
        status, last, errors = self.run_on(full=PASSING, empty="<testsuite/>")
        self.assertEqual((status, last), (1, "2 passed, 0 failed"))
        self.assertIn("empty.xml: ran no test", errors)

    def test_a_broken_file_is_a_failure(self):
        status, _, errors = self.run_on(full=PASSING, cut="<testsuite><testcase")
        self.assertEqual(status, 1)
        self.assertIn("cut.xml", errors)


if __name__ == "__main__":
    unittest.main()
