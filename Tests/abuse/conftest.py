"""The costs of attacks are printed in rows at the end."""
import os

from trial import HEADER


def pytest_terminal_summary(terminalreporter):
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    calls = [report for report in reports if getattr(report, "when", None) == "call"]
    rows = [value for report in sorted(calls, key=lambda call: call.start) for _, value in report.user_properties]
    if rows:
        terminalreporter.section(f"attacks, {os.cpu_count()} cores")
        terminalreporter.write_line("\n".join([HEADER, *rows]))
