# Runs the Autobahn suite's fuzzing client against one echo endpoint and judges its report. Started by scripts/autobahn
# with: the folder where the suite is installed, the folder for the report, the endpoint's URL, patterns of cases.
# Python 2.7, for the suite runs on no other. Exits with 0 only if every case that was asked for ran and none failed.
from __future__ import print_function

import collections
import json
import os
import site
import sys

ACCEPTED = ("OK", "NON-STRICT", "INFORMATIONAL")
AGENT = "madang"


def run(report_folder, url, patterns):
    """Runs the cases; returns the identifiers of all that should have run."""
    # The suite reads its options from the command line alone, and its reactor stops by itself after the last case.
    # wstest comes first: it picks the reactor, which whatever else imports Twisted would pick otherwise.
    from autobahntestsuite import wstest
    from autobahntestsuite import case
    from autobahntestsuite.caseset import CaseSet

    spec = {
        "outdir": report_folder,
        "servers": [{"agent": AGENT, "url": url}],
        "cases": patterns,
        "exclude-cases": [],
        "exclude-agent-cases": {},
    }
    spec_path = os.path.join(report_folder, "spec.json")
    with open(spec_path, "w") as spec_file:
        json.dump(spec, spec_file, indent=2)
    sys.argv = ["wstest", "--mode", "fuzzingclient", "--spec", spec_path]
    wstest.run()
    known = CaseSet(case.CaseSetname, case.CaseBasename, case.Cases, case.CaseCategories, case.CaseSubCategories)
    return known.parseSpecCases(spec)


def judge(report_folder, expected):
    """Prints how often each behaviour occurred and what is not accepted; returns whether all is well."""
    index_path = os.path.join(report_folder, "index.json")
    results = {}
    if os.path.exists(index_path):
        with open(index_path) as index_file:
            results = json.load(index_file).get(AGENT, {})

    behaviours = collections.Counter(result["behavior"] for result in results.values())
    closings = collections.Counter(result["behaviorClose"] for result in results.values())
    print("\n%d of %d cases ran" % (len(results), len(expected)))
    for title, counts in (("behaviour", behaviours), ("closing", closings)):
        print("  %-9s %s" % (title, ", ".join("%s %d" % pair for pair in sorted(counts.items()))))

    complaints = []
    for case_id in expected:
        result = results.get(case_id)
        if result is None:
            complaints.append("case %s did not run" % case_id)
        elif result["behavior"] not in ACCEPTED or result["behaviorClose"] not in ACCEPTED:
            page = os.path.join(report_folder, os.path.splitext(result["reportfile"])[0] + ".html")
            complaints.append(
                "case %s: %s, closing %s: %s" % (case_id, result["behavior"], result["behaviorClose"], page))
    for complaint in complaints:
        print(complaint)
    return bool(expected) and not complaints


def main():
    suite_folder, report_folder, url = sys.argv[1:4]
    patterns = sys.argv[4:]
    # Not PYTHONPATH: the zope namespace package is assembled by a .pth file, which only a site folder honours.
    site.addsitedir(os.path.abspath(suite_folder))
    sys.path.insert(0, os.path.abspath(suite_folder))
    os.makedirs(report_folder)
    well = judge(report_folder, run(os.path.abspath(report_folder), url, patterns))
    print("none failed" if well else "FAILED")
    sys.exit(0 if well else 1)


main()
