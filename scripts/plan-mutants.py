#!/usr/bin/env python3
"""The work of scripts/plan-mutants.sh: changes of the plan of a load, each compiled alone and tried with the plan's tests.

    scripts/plan-mutants.py list FOLDER        the changes, one a line
    scripts/plan-mutants.py prepare WORK       the plan and its tests in WORK; they must pass unchanged
    scripts/plan-mutants.py run WORK           fails if a change passes the tests

A change flips a comparison or a connective, puts `true` or `false` in the place of a condition, leaves out a statement that only returns,
or puts another case in the place of one. Changes that do not compile are none.
"""
import concurrent.futures, glob, os, queue, re, shutil, subprocess, sys

PLAN = "Sources/GannetFetch/Plan"
# All of the core that the plan needs.
CORE = ["Values/Boxed.swift", "Images/Freshness.swift", "Values/Timestamp.swift", "Request/CachePolicy.swift"]
TESTS = "Tests/GannetFetchTests/Plan"
RUNNER = """import Testing

@main struct Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }
"""
# Cases that can stand in each other's place.
GROUPS = [
    ["memory", "alternative", "disk", "original"],
    ["automatic", "cacheFirst", "revalidate", "cacheOnly", "loaderOnly"],
    ["use", "useAndRevalidate", "ask"],
    ["keep", "keepApart", "forget", "drop"],
    ["cacheMiss", "failure"],
    ["limitsAge", "limitsFallbacks", "onlyIfCached", "forcesRevalidation", "hasOwnConditions", "changesSource"],
    ["matches", "isOfOtherSource", "forbidsStoring", "isPartial"],
    ["sameBytes", "identical"],
    ["distantFuture", "distantPast"],
    ["unreachableUntil", "serverErrorUntil", "freshUntil"],
]
SWAPS = [
    (r" < ", [" <= ", " > "]), (r" > ", [" >= ", " < "]), (r" == ", [" != "]), (r" != ", [" == "]), (r" && ", [" || "]),
    (r" \|\| ", [" && "]), (r"(?<=[ (])!(?=\w)", [""]), (r"\btrue\b", ["false"]), (r"\bfalse\b", ["true"]),
    (r"\w+ \?\? (?=\w)", [""]),
]


def code_spans(text):
    """Where the text is no comment and no declaration of cases."""
    for line in re.finditer(r"[^\n]*\n", text):
        code = line.group(0)
        if re.match(r"\s*(//|case \w+(\(|\n)|package (import|static let|struct|enum|let|init|var [^{\n]*\n))", code):
            continue
        yield line.start(), code.split("//")[0]


def conditions(code):
    """Each boolean term of a condition, or of a value that is made of several: its start and end."""
    head = re.search(r"(\bguard|\bif|\breturn|\bcase [^:]*: return|\bcase [^:]*:|: Bool \{) (.*?)(?= else \{| \{| \}|$)", code.rstrip())
    if not head:
        return
    body, depth, last, pieces = head.group(2), 0, 0, []
    for mark in re.finditer(r"[(\[]|[)\]]|, | && | \|\| | \? ", body):
        if mark.group(0) in "([":
            depth += 1
        elif mark.group(0) in ")]":
            depth -= 1
        elif depth == 0:
            pieces.append((last, mark.start()))
            last = mark.end()
    pieces.append((last, len(body)))
    for begin, end in pieces:
        # Bindings, patterns and the values of a choice are no conditions.
        if not re.match(r"\s*(let |case |nil|\.|return|switch)|.* : ", body[begin:end]):
            yield head.start(2) + begin, head.start(2) + end


def changes(folder):
    """(file, start, end, replacement), each once."""
    seen = set()
    for path in sorted(glob.glob(folder + "/*.swift")):
        text = open(path).read()

        def change(start, end, new):
            key = (path, start, end, new)
            if text[start:end] != new and key not in seen:
                seen.add(key)
                yield key

        for offset, code in code_spans(text):
            for pattern, news in SWAPS:
                for match in re.finditer(pattern, code):
                    for new in news:
                        yield from change(offset + match.start(), offset + match.end(), new)
            for match in re.finditer(r"(?<![\w\])?])\.(\w+)|stored\.(\w+)|(?<== )(\w+) \?\?", code):
                index = next(i for i in (1, 2, 3) if match.group(i))
                name = match.group(index)
                for group in GROUPS:
                    if name in group:
                        for other in group:
                            yield from change(offset + match.start(index), offset + match.end(index), other)
            if re.match(r"\s*if .* \{ return .* \}\n?$", code) or re.match(r"\s*(guard .* else \{ return .* \})\n?$", code):
                yield from change(offset, offset + len(code.rstrip("\n")), "")
            for start, end in conditions(code):
                for new in ("true", "false"):
                    yield from change(offset + start, offset + end, new)


def describe(change):
    path, start, end, new = change
    text = open(path).read()
    line = text.count("\n", 0, start) + 1
    whole = text[text.rfind("\n", 0, start) + 1 : text.find("\n", end)]
    old = text[start:end].strip()
    return f"{os.path.basename(path)}:{line}: {old!r} → {new.strip()!r} in: {' '.join(whole.split())}"


def compile_swift(work, module, files, *more):
    flags = ["-package-name", "gannet", "-module-name", module, "-parse-as-library", "-swift-version", "6", "-I", work, "-L", work]
    return subprocess.run(["swiftc", *flags, *more, *files], capture_output=True, text=True)


def library(work, module, files, *more):
    # Not as a whole module: then nothing of the plan is compiled into its tests, which are compiled once.
    out = ["-O", "-emit-library", "-emit-module", "-emit-module-path", f"{work}/{module}.swiftmodule", "-o", f"{work}/lib{module}.so"]
    return compile_swift(work, module, files, *out, *more)


def checked(done):
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def tests_pass(libraries, runner):
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries, SWIFT_BACKTRACE="enable=no")
    try:
        done = subprocess.run([runner], env=environment, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return False, "hangs"
    return done.returncode == 0, done.stdout + done.stderr


def prepare(work):
    checked(library(work, "GannetCore", [f"Sources/GannetCore/{name}" for name in CORE]))
    checked(library(work, "GannetFetch", sorted(glob.glob(PLAN + "/*.swift")), "-lGannetCore"))
    with open(f"{work}/Runner.swift", "w") as file:
        file.write(RUNNER)
    swiftc = os.path.realpath(shutil.which("swiftc"))
    plugins = os.path.join(os.path.dirname(swiftc), "../lib/swift/host/plugins")
    if not os.path.exists(f"{plugins}/libTestingMacros.so"):
        plugins += "/testing"
    # Absolute paths: the tests find the tables beside themselves.
    tests = [os.path.abspath(path) for path in sorted(glob.glob(TESTS + "/*.swift"))]
    more = ["-O", "-plugin-path", plugins, "-lGannetFetch", "-lGannetCore", "-o", f"{work}/runner"]
    checked(compile_swift(work, "PlanTests", [*tests, f"{work}/Runner.swift"], *more))
    passed, output = tests_pass(work, f"{work}/runner")
    print("\n".join(output.splitlines()[-3:]))
    if not passed or "0 tests" in output:
        sys.exit(output + "\nThe tests of the plan do not pass unchanged.")


def run(work):
    files = sorted(glob.glob(PLAN + "/*.swift"))
    texts = {path: open(path).read() for path in files}
    workers = []
    for number in range(os.cpu_count() or 1):
        workers.append(f"{work}/{number}")
        os.makedirs(workers[-1], exist_ok=True)
        for name in ["libGannetCore.so", "GannetCore.swiftmodule"]:
            shutil.copy(f"{work}/{name}", workers[-1])
    free = queue.SimpleQueue()
    for worker in workers:
        free.put(worker)

    def outcome(change):
        """Of one change: noticed, not noticed, or not compiled."""
        path, start, end, new = change
        folder = free.get()
        try:
            changed = f"{folder}/{os.path.basename(path)}"
            with open(changed, "w") as file:
                file.write(texts[path][:start] + new + texts[path][end:])
            sources = [changed if file == path else file for file in files]
            if library(folder, "GannetFetch", sources, "-lGannetCore").returncode != 0:
                return "refused"
            return "not noticed" if tests_pass(folder, f"{work}/runner")[0] else "noticed"
        finally:
            free.put(folder)

    tried, outcomes = list(changes(PLAN)), []
    with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
        for change, result in zip(tried, pool.map(outcome, tried)):
            outcomes.append(result)
            if result == "not noticed":
                print("Not noticed: " + describe(change), flush=True)
            if len(outcomes) % 50 == 0:
                print(f"{len(outcomes)} of {len(tried)}", flush=True)
    noticed, survivors, refused = (outcomes.count(kind) for kind in ("noticed", "not noticed", "refused"))
    print(f"{noticed} changes are noticed, {survivors} are not, {refused} do not compile.")
    if survivors or noticed < 100:
        sys.exit(1)


command, folder = sys.argv[1], sys.argv[2]
if command == "list":
    for change in changes(folder):
        print(describe(change))
elif command == "prepare":
    prepare(folder)
elif command == "run":
    run(folder)
else:
    sys.exit(__doc__)
