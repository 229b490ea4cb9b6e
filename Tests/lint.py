"""Holds the tests' Python to what pylint calls an error."""
import subprocess
import sys

from pylint.lint import Run

# Installed where a test needs them, not here.
IGNORED_MODULES = "playwright,autobahntestsuite"
# What a class finds in the one that it is mixed into is no error.
MIXED_IN = "no-member,unsubscriptable-object,access-member-before-definition"

files = subprocess.run(["git", "ls-files", "*.py"], check=True, capture_output=True, text=True).stdout.splitlines()
# Where scripts of the other folders look too.
sys.path.insert(0, "Tests/clients")
Run(["--errors-only", f"--ignored-modules={IGNORED_MODULES}", f"--disable={MIXED_IN}", *files])
