#!/usr/bin/env python3
"""Prints the tables of Documentation/Conformance.md, made of the reports that scripts/conformance.sh wrote, one for each system.

    scripts/conformance-page.py REPORT…
"""
import sys


class Report:
    def __init__(self, path):
        self.system, self.version = "this system", 0.0
        self.libraries, self.rows, self.left, self.open = {}, {}, {}, {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                kind, *fields = line.rstrip("\n").split("\t")
                if kind == "system":
                    self.system, self.version = fields[0], float(fields[1])
                elif kind == "library":
                    self.libraries[fields[0]] = fields[1]
                elif kind == "row":
                    self.rows[fields[0]] = fields[1:]
                elif kind == "left":
                    self.left[(fields[0], fields[1])] = (fields[2], fields[3])
                elif kind == "open":
                    self.open[(fields[0], fields[1])] = (fields[2], fields[3])

    @property
    def name(self):
        """Debian 12, of "Debian GNU/Linux 12 (bookworm)"."""
        return self.system.replace("GNU/Linux ", "").split(" (")[0]


def table(head, rows, right=()):
    marks = ["---:" if index in right else "---" for index in range(len(head))]
    for cells in [head, marks] + rows:
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


def why(reason):
    return reason or "**not explained**"


def print_libraries(reports):
    names = sorted({name for report in reports for name in report.libraries})
    print("\n## Libraries\n")
    table(
        ["library"] + [report.name for report in reports],
        [[name] + [report.libraries.get(name, "") for report in reports] for name in names])


def print_results(reports):
    formats = list(dict.fromkeys(name for report in reports for name in report.rows))
    print("\n## Results\n")
    head = ["format", "system", "valid files", "decode right", "", "must be refused", "are refused", "damaged or odd",
            "of them decoded", "slowest", "most memory"]
    rows = []
    for name in formats:
        for report in reports:
            if name in report.rows:
                valid, ok, percent, bad, refused, odd, decoded, time, memory = report.rows[name]
                rows.append([name, report.name, valid, ok, percent + " %", bad, refused, odd, decoded,
                             f"{int(time) / 1000:.1f} s", memory + " MiB"])
    table(head, rows, range(2, len(head)))


def print_differences(reports):
    """Files that one system decodes, or decodes right, and another one does not."""
    rows = []
    for key in sorted({key for report in reports for key in report.left}):
        answers = [report.left.get(key) for report in reports]
        if None in answers:
            reason = next(answer[1] for answer in answers if answer)
            rows.append([key[1]] + [answer[0] if answer else "right" for answer in answers] + [why(reason)])
    for key in sorted({key for report in reports for key in report.open}):
        answers = [report.open.get(key, ("", "")) for report in reports]
        if len({answer[0] for answer in answers}) > 1:
            rows.append([key[1]] + [answer[0] for answer in answers] + [why(answers[-1][1])])
    print("\n## What is different between the systems\n")
    if rows:
        table(["file"] + [report.name for report in reports] + ["why"], rows)
    else:
        print("Nothing: every file has the same result.")


def print_left(reports):
    """Files that are not right on any system."""
    formats = list(dict.fromkeys(name for report in reports for name in report.rows))
    for name in formats:
        keys = [key for key in reports[0].left if key[0] == name and all(key in report.left for report in reports)]
        if keys:
            print(f"\n## {name}: what is left\n")
            table(["file", "what is different", "why"],
                  [[key[1], reports[-1].left[key][0], why(reports[-1].left[key][1])] for key in keys])


reports = sorted((Report(path) for path in sys.argv[1:]), key=lambda report: report.version)
print_libraries(reports)
print_results(reports)
if len(reports) > 1:
    print_differences(reports)
print_left(reports)
