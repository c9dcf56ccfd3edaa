"""HTTP/2 and HPACK with h2spec."""
import collections, subprocess
import xml.etree.ElementTree as xml

# Either answer is right, and which one comes is a race. A POST is answered before its body (RFC 9113 §8.1), and the stream is then reset with
# NO_ERROR: a wrong body that comes later is not looked at.
RACES = {("http2/8.1.2.6", "1"), ("http2/8.1.2.6", "2")}
PARTS = [("generic", "what every server answers"), ("http2", "RFC 7540"), ("hpack", "RFC 7541")]


def run(program, port, target, folder):
    """Rows of the table, and faults."""
    report = folder / "h2spec.xml"
    words = [program, "--strict", "--tls", "--insecure", "--port", port, "--path", target, "--timeout", 10, "--junit-report", report]
    output = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1800).stdout
    if not report.exists(): return [], [f"h2spec made no report: {output[-500:]}"]
    counts, faults = collections.defaultdict(collections.Counter), []
    for suite in xml.parse(report).getroot().iter("testsuite"):
        for number, case in enumerate(suite.iter("testcase"), 1):
            package = suite.get("package")
            marks = {mark.tag for mark in case}
            kind = "either" if (package, str(number)) in RACES else "failed" if marks & {"failure", "error"} else "skipped" if "skipped" in marks else "passed"
            counts[package.split("/")[0]][kind] += 1
            if kind in ("failed", "skipped"): faults.append(f"h2spec {package}/{number} {kind}: {case.get('classname')}: {' '.join(case.itertext())}")
    rows = [[f"{words}", *cells(counts[name])] for name, words in PARTS]
    rows.append(["all", *cells(sum(counts.values(), collections.Counter()))])
    print(f"h2spec: {rows[-1]}", flush=True)
    if set(counts) != {name for name, _ in PARTS}: faults.append(f"h2spec has other parts: {sorted(counts)}")
    return rows, faults


def cells(counts): return [str(counts.total()), *(str(counts[kind]) for kind in ("passed", "either", "skipped", "failed"))]
