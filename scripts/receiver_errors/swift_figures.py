#!/usr/bin/env python3
"""Writes the figures of docs/receiver-errors.json that the tests draw errors from as Swift.

usage: scripts/receiver_errors/swift_figures.py >Tests/ReceiverErrors/ReceiverFigures.swift
"""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = {
    "accuracyLevelMm": "claimedAccuracyLevelMillimetres",
    "accuracyWithinWalkPermille": "claimedAccuracyWithinWalkPermille",
    "wanderPermilleOfAxis": "wanderStdPermilleOfClaimedAxis",
    "stepUsualMmPerRootS": "stepUsualMillimetresPerRootSecond",
    "stepPermilleOfUsual": "stepPermilleOfUsual",
    "whiteMm": "whiteStdMillimetres",
    "jumpsPerMillionFixes": "jumpsPerMillionFixesOutsideJumpsByRecording",
    "jumpMm": "jumpMillimetres",
    "jumpLastsFixes": "jumpLastsFixes",
    "jumpAccuracyPermilleOfBefore": "jumpClaimedAccuracyPermilleOfBefore",
    "intervalMs": "intervalMilliseconds",
    "gapMs": "gapMilliseconds",
}
NUMBERS = {
    "accuracyCorrelationPermille": "claimedAccuracyCorrelationPermille",
    "stepBurstPermille": "stepBurstCorrelationPermille",
    "stepTurnPermille": "stepDirectionCorrelationPermille",
    "jumpUndoneAtOncePermille": "jumpUndoneAtOncePermille",
    "gapsPerMillionFixes": "gapsPerMillionFixes",
}


def main():
    classes = json.loads((ROOT / "docs" / "receiver-errors.json").read_text())["classes"]
    print("// Made by scripts/receiver_errors/swift_figures.py from docs/receiver-errors.json.\n")
    print("extension ReceiverFigures {")
    for name, figures in classes.items():
        print(f"  static let {name} = ReceiverFigures(")
        lines = [f"    {ours}: Quantiles({list(figures[theirs].values())})" for ours, theirs in TABLES.items()]
        lines += [f"    {ours}: {figures[theirs]}" for ours, theirs in NUMBERS.items()]
        print(",\n".join(lines) + "\n  )")
        if name != list(classes)[-1]:
            print()
    print("}")


main()
