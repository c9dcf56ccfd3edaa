#!/usr/bin/env python3
"""Lists the functions of Gannet that run in one load, from traces of real ones: scripts/load-map.py [--check] [--lab PROGRAM]

Runs `gannet-lab map` for each kind of load with a breakpoint on each function, and writes the lists into
Documentation/internals/LoadMap.md, which says what counts, and their sums into Documentation/Architecture.md. The build is a debug one,
in which nothing is inlined; --lab names one with every trait, built in this folder, and saves that. --check changes nothing, and ends
with 1 if more than a tenth of a list and more than 15 functions are new or gone: the order of threads decides about a few.

A minute, and 8 to build the first time. Needs binutils, x86-64, and the right to trace processes.
"""
import ctypes, functools, os, pathlib, re, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parent.parent
page, sums = root / "Documentation/internals/LoadMap.md", root / "Documentation/Architecture.md"
begin, end = "<!-- the map: made by scripts/load-map.py -->\n", "<!-- end of the map -->"

KINDS = {"hit": "A memory hit", "cold": "A cold load", "stale": "A stale image that its source confirms",
         "service": "A new thumbnail of the service"}
# From the call to the codec and back; tests' servers and the lab itself are no part of a load.
MODULES = ["GannetServer", "GannetImages", "GannetFetch", "GannetHTTP", "CGannetCURL", "GannetCache", "GannetCodecs", "CGannetShims",
           "GannetKernels", "CGannetKernels", "GannetPlatform", "GannetCore", "GannetSupport", "Gannet"]
# Which thread comes first differs between runs, and so does what timers begin: what runs in each of them is on the way of every load.
RUNS = 5
TOLERANCE, FEW = 0.1, 15


def output(*command, text=None):
    return subprocess.run(command, check=True, capture_output=True, text=True, input=text, cwd=root).stdout


# The trace

class Tracer:
    """Runs a program with a breakpoint at each of some addresses, each of which stops one thread once; ptrace(2) on x86-64.

    A function that has run once between the marks costs nothing more, so that threads meet as they do without a tracer.
    """
    TRACEME, CONT, GETREGS, SETREGS, SETOPTIONS = 0, 7, 12, 13, 0x4200
    OPTIONS = 0x8 | 0x100000  # PTRACE_O_TRACECLONE: new threads too. PTRACE_O_EXITKILL: none stays behind.
    WALL = 0x40000000
    RIP = 16

    def __init__(self, command, folder):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"TMPDIR": folder},
                                        preexec_fn=lambda: self.libc.ptrace(self.TRACEME, 0, None, None))
        os.waitpid(self.process.pid, self.WALL)
        self.libc.ptrace(self.SETOPTIONS, self.process.pid, None, self.OPTIONS)
        self.memory = open(f"/proc/{self.process.pid}/mem", "r+b", buffering=0)
        path = os.path.realpath(command[0])
        with open(f"/proc/{self.process.pid}/maps", encoding="utf-8") as maps:
            self.base = next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(path))
        self.saved, self.known = {}, {self.process.pid}

    def set(self, addresses):
        for address in addresses:
            if address in self.saved: continue
            self.memory.seek(self.base + address)
            self.saved[address] = self.memory.read(1)
            self.memory.seek(self.base + address)
            self.memory.write(b"\xcc")

    def hits(self):
        """The addresses that threads arrive at, until the process ends. Each thread goes on when the next hit is asked for."""
        thread, signal, registers = self.process.pid, 0, (ctypes.c_ulong * 27)()
        gone = set()
        while True:
            self.libc.ptrace(self.CONT, thread, None, signal)
            thread, status = os.waitpid(-1, self.WALL)
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                if thread == self.process.pid: sys.exit(f"gannet-lab ended: {status}")
                continue
            signal = os.WSTOPSIG(status)
            if thread not in self.known:
                # A new thread begins with a stop of its own.
                self.known.add(thread)
                signal = 0
                continue
            if signal != 5: continue
            signal = 0
            if status >> 16: continue
            self.libc.ptrace(self.GETREGS, thread, None, ctypes.byref(registers))
            address = registers[self.RIP] - 1 - self.base
            if address not in self.saved: continue
            # Another thread may have been here first.
            if address not in gone:
                gone.add(address)
                self.memory.seek(self.base + address)
                self.memory.write(self.saved[address])
                yield address
            registers[self.RIP] -= 1
            self.libc.ptrace(self.SETREGS, thread, None, ctypes.byref(registers))


def trace(lab, kind, starts, marks):
    """Which of the functions at `starts` a thread entered between the marks."""
    found = set()
    # The program is killed at the second mark, and leaves its cache folder there.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tracer = Tracer([str(lab), "map", kind], folder)
        tracer.set(marks)
        for address in tracer.hits():
            if address == marks[0]: tracer.set(starts)
            elif address == marks[1]: break
            else: found.add(address)
        tracer.process.kill()
    return found


def symbols(lab):
    """The functions of the program: {address: name}. Several names may have one address, and several addresses one name."""
    found = {}
    for line in output("nm", "--defined-only", str(lab)).splitlines():
        address, kind, name = line.split(" ", 2)
        if kind in "tT" and (not name.startswith("$s") or "annet" in name): found.setdefault(int(address, 16), name)
    return found


def places(lab, found):
    """The file and the line of each function that stands in a file of Gannet: what has none is the compiler's."""
    ordered = sorted(found)
    lines = output("llvm-symbolizer", f"--obj={lab}", "--functions=none", "--no-inlines", "--output-style=GNU",
                   text="".join(f"{start:#x}\n" for start in ordered)).splitlines()
    result = {}
    for start, line in zip(ordered, lines, strict=True):
        match = re.match(r"(.+?):(\d+)", line)
        if match and int(match[2]) > 0 and pathlib.Path(match[1]).is_relative_to(root / "Sources"):
            place = str(pathlib.Path(match[1]).relative_to(root / "Sources"))
            if place.split("/")[0] in MODULES: result[start] = (place, int(match[2]))
    return result


# The names

class Node:
    def __init__(self, kind, text):
        self.kind, self.text, self.children = kind, text, []

    def child(self, *kinds): return next((one for one in self.children if one.kind in kinds), None)

    def key(self):
        """Equal for what Swift divides into allocating and beginning, or ending and freeing."""
        if self.kind in ENDS: return ("Destructor", self.children[0].key())
        return (self.kind.replace("Allocator", "Constructor"), self.text, tuple(one.key() for one in self.children))


ENDS = ("Destructor", "Deallocator", "IsolatedDeallocator")
FUNCTIONS = ("Function", "Constructor", "Allocator") + ENDS
ACCESSORS = ("Getter", "Setter", "ModifyAccessor", "Modify2Accessor", "ReadAccessor", "Read2Accessor", "WillSet", "DidSet")
CLOSURES = ("ExplicitClosure", "ImplicitClosure")
OWN = FUNCTIONS + ACCESSORS + CLOSURES + ("Static",)


def trees(names):
    """The parts of mangled names, as `swift demangle` prints them."""
    result = {}
    for start in range(0, len(names), 200):
        part = names[start:start + 200]
        blocks = output("swift", "demangle", "--tree-only", *part).split("Demangling for ")[1:]
        for name, block in zip(part, blocks, strict=True):
            top = Node("", "")
            path = [(-1, top)]
            for line in block.splitlines()[1:]:
                match = re.match(r'( *)kind=(\w+)(?:, (?:text="(.*)"|index=(.*)))?$', line)
                if not match: continue
                depth, node = len(match[1]), Node(match[2], match[3] or match[4] or "")
                while path[-1][0] >= depth: path.pop()
                path[-1][1].children.append(node)
                path.append((depth, node))
            result[name] = top
    return result


def owner(node):
    """The function or property that a symbol belongs to: that around a closure or a local function. Nil for what the compiler adds."""
    if node.kind in CLOSURES + ("Static",): return owner(node.children[0])
    if node.kind in ACCESSORS: node = node.children[0]
    elif node.kind not in FUNCTIONS: return None
    context = node.children[0]
    return owner(context) if context.kind in OWN else node


def identifier(node):
    for one in node.children[1:]:
        if one.kind == "Identifier" or one.kind.endswith("Operator"): return one.text
        if one.kind in ("PrivateDeclName", "LocalDeclName"): return one.children[-1].text
    return ""


def typename(context):
    if context.kind == "Extension": return typename(context.children[1])
    if context.kind not in ("Class", "Structure", "Enum", "Protocol"): return ""
    outer = typename(context.children[0])
    return f"{outer}.{identifier(context)}" if outer else identifier(context)


def signature(node):
    """Of a function: its labels, as in `image(for:)`."""
    kind = node.child("Type")
    while kind and kind.kind != "FunctionType": kind = kind.children[-1] if kind.children else None
    arguments = kind.child("ArgumentTuple").children[0].children[0] if kind else None
    count = 0 if arguments is None else len(arguments.children) if arguments.kind == "Tuple" else 1
    labels = [one.text or "_" for one in (node.child("LabelList") or Node("", "")).children]
    return "(" + "".join(f"{one}:" for one in (labels or ["_"] * count)) + ")"


def title(node, file):
    """Without the type, if that is the one after which the file is named."""
    if node.kind in ENDS: name = "deinit"
    elif node.kind in ("Constructor", "Allocator"): name = "init" + signature(node)
    elif node.kind == "Function": name = identifier(node) + signature(node)
    elif node.kind == "Subscript": name = "subscript"
    else: name = identifier(node)
    outer = typename(node.children[0])
    return name if outer in ("", pathlib.Path(file).stem.split("+")[0]) else f"{outer}.{name}"


def is_written(symbol, node, file, line):
    """Somebody wrote the function or property: it is not the initializer, the end or the accessor that a type or a wrapper comes with."""
    if node.kind == "Function" or symbol.kind in CLOSURES: return True
    mark = "deinit" if node.kind in ENDS else "init" if node.kind in FUNCTIONS else "{"
    return mark in lines_of(file)[line - 1]


@functools.cache
def lines_of(file): return (root / "Sources" / file).read_text(encoding="utf-8").split("\n")


def functions(found, where):
    """What functions are called: {address: (key, file, line, name)}, without those of the compiler."""
    swift = trees(sorted({found[start] for start in where if found[start].startswith("$s")}))
    result = {}
    for start, (file, line) in where.items():
        name = found[start]
        if name not in swift:
            result[start] = ((file, name), file, line, name)
            continue
        # Of the parts of a symbol, the one that can have an owner: the others say which piece of a function this is.
        part = swift[name].children[0].child(*OWN)
        node = owner(part) if part else None
        if node and is_written(part, node, file, line): result[start] = (node.key(), file, line, title(node, file))
    return result


# The page

def rows(found):
    """The rows of the table of one load: {file: names}, files by modules, names in the order of the file."""
    files = {}
    for key, file, line, name in sorted(found, key=lambda one: one[2]):
        names = files.setdefault(file, {})
        if key not in names: names[key] = name
    order = sorted(files, key=lambda file: (MODULES.index(file.split("/")[0]), file))
    return {file: list(files[file].values()) for file in order}


def tables(maps):
    lines = []
    for kind, files in maps.items():
        count = sum(len(names) for names in files.values())
        lines += [f"## {KINDS[kind]}", "", f"{count} functions in {len(files)} files.", "", "| file | functions |", "|---|---|"]
        lines += [f"| `{file}` | " + ", ".join(f"`{name}`" for name in names) + " |" for file, names in files.items()]
        lines.append("")
    return "\n".join(lines) + "\n"


def table_of_sums(maps):
    used = [module for module in MODULES if any(file.startswith(module + "/") for files in maps.values() for file in files)]
    lines = ["| load | functions | files | " + " | ".join(f"`{module}`" for module in used) + " |", "|---" * (len(used) + 3) + "|"]
    for kind, files in maps.items():
        counts = [sum(len(names) for file, names in files.items() if file.startswith(module + "/")) for module in used]
        lines.append(f"| {KINDS[kind][0].lower()}{KINDS[kind][1:]} | {sum(counts)} | {len(files)} | "
                     + " | ".join(str(count) if count else "" for count in counts) + " |")
    return "\n".join(lines) + "\n"


def replaced(text, new, place):
    if begin not in text: sys.exit(f"{place} has no place for the map.")
    return re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + new + end, text, flags=re.S)


def read():
    """What the page lists: {kind: {(file, name)}}."""
    result, kind = {}, None
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "): kind = next((one for one in KINDS if KINDS[one] == line[3:]), None)
        cells = line.split(" | ")
        if kind and line.startswith("| `"):
            result.setdefault(kind, set()).update((cells[0][3:-1], name) for name in re.findall(r"`([^`]+)`", cells[1]))
    return result


def compare(maps):
    old, failures = read(), []
    for kind, files in maps.items():
        now, then = {(file, name) for file, names in files.items() for name in names}, old.get(kind, set())
        for file, name in sorted(now - then): print(f"{kind}: new: {file}: {name}")
        for file, name in sorted(then - now): print(f"{kind}: gone: {file}: {name}")
        if len(now ^ then) > max(FEW, TOLERANCE * len(now)): failures.append(kind)
    if failures: sys.exit(f"The map has changed ({', '.join(failures)}): scripts/load-map.py makes it anew.")


def main():
    arguments = sys.argv[1:]
    checks = "--check" in arguments
    if checks: arguments.remove("--check")
    if arguments[:1] == ["--lab"] and len(arguments) == 2: lab = pathlib.Path(arguments[1]).resolve()
    elif arguments: sys.exit(__doc__)
    else:
        build = ["swift", "build", "--enable-all-traits", "--product", "gannet-lab"]
        subprocess.run(build, check=True, cwd=root)
        lab = pathlib.Path(output(*build[:3], "--show-bin-path").strip()) / "gannet-lab"
    maps = {}
    found = symbols(lab)
    marks = [next(at for at, name in found.items() if "MapMark" in name and f"{mark}yyF" in name) for mark in ("5begin", "3end")]
    where = places(lab, found)
    for kind in KINDS:
        runs = [functions(found, {start: where[start] for start in trace(lab, kind, where, marks)}) for _ in range(RUNS)]
        always = set.intersection(*({one[0] for one in run.values()} for run in runs))
        maps[kind] = rows([one for run in runs for one in run.values() if one[0] in always])
        print(f"{kind}: {len(always)} functions in each run; " + ", ".join(str(len({one[0] for one in run.values()})) for run in runs))
    if checks: return compare(maps)
    page.write_text(replaced(page.read_text(encoding="utf-8"), tables(maps), page), encoding="utf-8")
    sums.write_text(replaced(sums.read_text(encoding="utf-8"), table_of_sums(maps), sums), encoding="utf-8")


main()
