#!/usr/bin/env python3
"""Kills `gannet-lab cache-worker` at random moments and checks what is left of its cache folder.

Each round: start a worker, let it work for a random while, end it with SIGKILL, open the folder anew and read every key.

  torn     bytes that nobody stored under that key, or that are older than what was acknowledged last
  lost     acknowledged, neither removed nor being removed, and not there (only without --limit, which may trim it)
  checks   a folder that could not be opened and read within --check-s seconds
  litter   temporary files that are left after the check
  over     rounds in which the files, measured by walking the folder, exceed --limit

With --companion a second worker uses the same folder all the time, with keys of its own, and is never killed.
Exit status 0 only if all five are 0 and something was found.
"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--lab", required=True, help="the program gannet-lab")
parser.add_argument("--dir", required=True, help="the cache folder; made and used, not removed")
parser.add_argument("--rounds", type=int, default=200)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--min-ms", type=float, default=5)
parser.add_argument("--max-ms", type=float, default=400)
parser.add_argument("--limit", type=int, default=0, help="bytes; 0: none")
parser.add_argument("--keys", type=int, default=64)
parser.add_argument("--check-s", type=float, default=30)
parser.add_argument("--companion", action="store_true")
parser.add_argument("--sync", action="store_true")
options = parser.parse_args()

LINE = re.compile(r"(TRY|ACK|HAVE) (\S+) ([0-9a-f]{64})$")
SINGLE = re.compile(r"(DEL|MISS) (\S+)$")


class Knowledge:
    """What may be found under each key, from the lines of one worker."""

    def __init__(self):
        self.allowed = {}  # key -> hashes that may be there
        self.required = set()  # keys that must be there
        self.lock = threading.Lock()

    def read(self, text):
        with self.lock:
            for line in text.split("\n"):
                if match := LINE.match(line):
                    kind, key, digest = match.groups()
                    if kind == "TRY":
                        # The old one or the new one; a removal before it is over, because each key has one worker task.
                        self.allowed.setdefault(key, set()).add(digest)
                    elif kind == "ACK":
                        self.allowed[key] = {digest}
                        self.required.add(key)
                elif (match := SINGLE.match(line)) and match[1] == "DEL":
                    self.required.discard(match[2])


def worker(seed, first):
    command = [options.lab, "cache-worker", "--dir", options.dir, "--seed", str(seed), "--first", str(first)]
    command += ["--keys", str(options.keys)]
    if options.limit:
        command += ["--limit", str(options.limit)]
    if options.sync:
        command += ["--sync"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", start_new_session=True)


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def whole_lines(text):
    """Without the last line, which may have been cut."""
    return text[: text.rfind("\n") + 1]


def walk():
    for folder, _, names in os.walk(options.dir):
        for name in names:
            yield os.path.join(folder, name)


def size_of(path):
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


def litter():
    return sum(path.endswith(".tmp") for path in walk())


os.makedirs(options.dir, mode=0o700, exist_ok=True)
chance = random.Random(options.seed)
known = Knowledge()
known_of_companion = Knowledge()
failures = dict(torn=0, lost=0, checks=0, litter=0, over=0)
found = acknowledged = 0
companion = None
FIRST_OF_COMPANION = 1000


def follow(process):
    for line in process.stdout:
        known_of_companion.read(line)


def check(first, knowledge, trims=False):
    global found
    command = [options.lab, "cache-worker", "--dir", options.dir, "--check", "--first", str(first)]
    command += ["--keys", str(options.keys)]
    if trims:
        command += ["--limit", str(options.limit)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=options.check_s)
    except subprocess.TimeoutExpired:
        return fail("checks", "hung")
    if result.returncode:
        return fail("checks", f"exit status {result.returncode}: {result.stderr[-300:]}")
    there = {}
    for line in result.stdout.split("\n"):
        if match := LINE.match(line):
            there[match[2]] = match[3]
    found += len(there)
    for key, digest in there.items():
        if digest not in knowledge.allowed.get(key, ()):
            fail("torn", key)
        else:
            # From now on it is this one.
            knowledge.allowed[key] = {digest}
    if not options.limit:
        for key in sorted(knowledge.required - there.keys()):
            fail("lost", key)
    knowledge.required &= there.keys()
    for key in set(knowledge.allowed) - there.keys():
        knowledge.allowed[key] = set()


def fail(kind, what):
    failures[kind] += 1
    print(f"round {number}: {kind}: {what}", flush=True)


number = 0
if options.companion:
    companion = worker(options.seed * 7919, FIRST_OF_COMPANION)
    follower = threading.Thread(target=follow, args=(companion,), daemon=True)
    follower.start()
for number in range(1, options.rounds + 1):
    process = worker(options.seed * 100_003 + number, 0)
    time.sleep(chance.uniform(options.min_ms, options.max_ms) / 1000)
    kill(process)
    output = whole_lines(process.communicate()[0])
    acknowledged += output.count("\nACK ") + output.startswith("ACK ")
    known.read(output)
    check(0, known)
    if companion is None:
        if left := litter():
            fail("litter", left)
        if options.limit and (size := sum(map(size_of, walk()))) > options.limit:
            fail("over", size)
    elif companion.poll() is not None:
        fail("checks", f"the companion ended with {companion.returncode}")
if companion is not None:
    kill(companion)
    companion.wait()
    # All that it said is known once its end was read.
    follower.join()
    # Two processes may together exceed the limit by what each of them was writing; the next one that opens trims.
    check(FIRST_OF_COMPANION, known_of_companion, trims=options.limit > 0)
    check(0, known)
    if left := litter():
        fail("litter", left)
    if options.limit and (size := sum(map(size_of, walk()))) > options.limit:
        fail("over", size)
print(
    f"{options.rounds} kills, seed {options.seed}: {acknowledged} acknowledged, {found} found, "
    + ", ".join(f"{count} {kind}" for kind, count in failures.items())
)
sys.exit(1 if any(failures.values()) or not found else 0)
