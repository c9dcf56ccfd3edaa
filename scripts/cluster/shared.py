#!/usr/bin/env python3
"""Three replicas that share Redis and S3, asked in turn, as by a balancer that knows nothing of sources. Used by scripts/cluster.sh.

    shared.py GANNET MOTO_SERVER CHAOS_SECONDS RATE

Each source is fetched once. With CHAOS_SECONDS more than 0, a replica, Redis, S3 and the source then go and come back, alone and in
pairs, under RATE requests a second. Prints what an answer from each store takes of the processor, for Documentation/Scaling.md.
"""
import collections, http.client, itertools, os, random, signal, sys, threading, time

from pieces import NOISE, Source, address, end_all, fail, fetched, free_port, get, is_whole, kill_all, lock, metric, replica, source, start, until_ready, work

gannet, moto, seconds, rate = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
ports, redis_port, s3_port = [free_port() for _ in range(3)], free_port(), free_port()
keys = dict(os.environ, AWS_ACCESS_KEY_ID="AKIDCLUSTER", AWS_SECRET_ACCESS_KEY="secret")
for name in list(keys):
    if name.lower().endswith("_proxy"): del keys[name]


def redis(): return start("redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", cwd=work)


def s3():
    """Empty when it comes back, as it keeps its objects in memory."""
    process = start(moto, "-H", "127.0.0.1", "-p", str(s3_port))
    until_ready(s3_port, "/moto-api/")
    connection = http.client.HTTPConnection("127.0.0.1", s3_port)
    connection.request("PUT", "/thumbnails")
    if connection.getresponse().status != 200: fail("the bucket cannot be made")
    return process


def at_redis(): return ["--redis", f"redis://127.0.0.1:{redis_port}"]
def at_s3(): return ["--s3", "thumbnails/small", "--s3-endpoint", f"http://127.0.0.1:{s3_port}"]


def new_replica(index):
    process = replica(gannet, index, ports[index], *at_redis(), *at_s3(), env=keys)
    until_ready(ports[index])
    return process


def at_once(tasks):
    """What each of them gives, begun together."""
    results = [None] * len(tasks)
    def run(index): results[index] = tasks[index]()
    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(tasks))]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return results


turn = itertools.count()


def ask(number, width):
    """As a balancer asks: the next replica, and if there is none, the one after it. The answer, and how often it asked."""
    # A request's own: with a common one, others could move it on to the replica that was just asked in vain.
    first = next(turn)
    for tries in range(3):
        try: return get(ports[(first + tries) % 3], address(number, width), timeout=20) + (tries + 1,)
        except (OSError, http.client.HTTPException): pass
    return None, {}, b"", 3


def equal_requests():
    """A slow source, and 999 requests while it works, a third of them at each replica."""
    Source.delay = 0.5
    def some(port): return lambda: [get(port, address(1, 20)) for _ in range(333 // 37)]
    answers = sum(at_once([some(port) for port in ports for _ in range(37)]), [])
    Source.delay = 0
    if {status for status, _, _ in answers} != {200} or len({body for _, _, body in answers}) != 1: fail("equal requests had different answers")
    if not is_whole(answers[0][2], 1): fail("it is another image")
    if fetched[1] != 1: fail(f"a source was fetched {fetched[1]} times for equal requests")
    print(f"{len(answers)} equal requests at three replicas: one fetch, {sum(metric(port, 'gannet_leases_total') for port in ports)} lease.")


def every_source_once():
    numbers = range(1000, 1200)
    for number in numbers:
        answers = at_once([lambda port=port: get(port, address(number, 20)) for port in ports])
        if {status for status, _, _ in answers} != {200}: fail(f"{[one[0] for one in answers]} for {number}")
        if len({(body, headers["ETag"]) for _, headers, body in answers}) != 1: fail(f"replicas differ for {number}")
        if not is_whole(answers[0][2], number): fail(f"{number} is another image")
    again = {number: fetched[number] for number in numbers if fetched[number] != 1}
    if again: fail(f"sources were not fetched once: {again}")
    print(f"{len(numbers)} sources, each at the three replicas at once: each fetched once, the same bytes and tag from all.")


def costs():
    """What an answer takes of the processor that comes from one store alone, with no memory before it."""
    numbers, times, clients = range(NOISE, NOISE + 40), 50, 8
    for name, options in (("disk", []), ("Redis", ["--no-cache"] + at_redis()), ("S3", ["--no-cache"] + at_s3())):
        port = free_port()
        process = replica(gannet, "costs", port, "--answer-memory", "0", *options, env=keys)
        until_ready(port)
        def processor(): return sum(int(field) for field in open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()[11:13]) / os.sysconf("SC_CLK_TCK")
        sizes = []
        def ask_all():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            for number in numbers:
                connection.request("GET", address(number, 64))
                response = connection.getresponse()
                sizes.append(len(response.read()))
                if response.status != 200: fail(f"{response.status} for {number}")
            connection.close()
        # Made now, or known to the store already; what is stored behind the answer is there when a round fetches nothing.
        for _ in range(20):
            before = sum(fetched.values())
            ask_all()
            if sum(fetched.values()) == before: break
        else: fail(f"{name} keeps no answers")
        sizes.clear()
        begin = processor()
        at_once([lambda: [ask_all() for _ in range(times // clients)] for _ in range(clients)])
        took = processor() - begin
        if sum(fetched.values()) != before: fail(f"answers from {name} were made again")
        print(f"From {name}: {took * 1000 / len(sizes):.2f} ms of processor for an answer of {sum(sizes) / len(sizes) / 1024:.0f} KiB.")
        end_all([process])


class Chaos:
    """Load, and what goes and comes back meanwhile."""

    def __init__(self):
        self.replicas, self.redis, self.s3 = [], None, None
        self.new, self.expected = itertools.count(2000), {}
        self.statuses, self.wrong, self.asked_again = collections.Counter(), [], 0
        self.stop, self.slowest = threading.Event(), 0
        # Until when a failure is the source's.
        self.source_gone_until = 0

    def one(self, choose):
        is_new = choose.random() < 0.2
        number = next(self.new) if is_new else choose.randrange(1000, 1200)
        begin = time.monotonic()
        status, headers, body, tries = ask(number, 20)
        took = time.monotonic() - begin
        with lock:
            self.statuses[status] += 1
            self.asked_again += tries - 1
            self.slowest = max(self.slowest, took)
            if status == 200:
                known = self.expected.setdefault(number, body)
                if known != body or not is_whole(body, number): self.wrong.append(f"{number}: another image")
            elif not (status in (502, 504) and begin < self.source_gone_until): self.wrong.append(f"{number}: {status}")

    def load(self, seed, share):
        choose, due = random.Random(seed), time.monotonic()
        while not self.stop.is_set():
            self.one(choose)
            due += share
            time.sleep(max(due - time.monotonic(), 0))

    def take(self, name, hangs):
        if name == "replica":
            self.replicas[0].kill()
            self.replicas[0].wait()
        elif name == "source": Source.is_gone, self.source_gone_until = True, float("inf")
        else:
            process = self.redis if name == "redis" else self.s3
            process.send_signal(signal.SIGSTOP if hangs else signal.SIGKILL)
            if not hangs: process.wait()

    def give(self, name, hangs):
        if name == "replica": self.replicas[0] = new_replica(0)
        elif name == "source": Source.is_gone, self.source_gone_until = False, time.monotonic() + 2
        elif hangs: (self.redis if name == "redis" else self.s3).send_signal(signal.SIGCONT)
        elif name == "redis": self.redis = redis()
        else: self.s3 = s3()

    def recovery(self):
        """Seconds until sources that nobody asked for before are shown by whatever is there."""
        begin = time.monotonic()
        while True:
            if all(ask(next(self.new), 20)[0] == 200 for _ in range(3)): return time.monotonic() - begin
            if time.monotonic() > begin + 30: fail("it does not recover")

    def run(self):
        singles = [(name,) for name in ("replica", "redis", "s3", "source")]
        pairs = list(itertools.combinations(("replica", "redis", "s3", "source"), 2))
        threads = 16
        workers = [threading.Thread(target=self.load, args=(seed, threads / rate)) for seed in range(threads)]
        for worker in workers: worker.start()
        late = []
        for names in singles + pairs:
            # Alone they are killed; of a pair Redis and S3 hang.
            hangs = len(names) > 1
            for name in names: self.take(name, hangs)
            broken = None if "source" in names else self.recovery()
            time.sleep(seconds / 20)
            for name in names: self.give(name, hangs)
            back = self.recovery()
            time.sleep(max(seconds / 20 - back, 0))
            went = "" if broken is None else f"served on after {broken:.2f} s, "
            print(f"{' and '.join(names)} {'hanging or gone' if hangs else 'killed'}: {went}all back after {back:.2f} s.", flush=True)
            late += [text for text, took in ((f"without {names}", broken), (f"after {names}", back)) if (took or 0) > 2]
        self.stop.set()
        for worker in workers: worker.join()
        again = sum(1 for number, count in fetched.items() if count > 1)
        print(f"{sum(self.statuses.values())} answers: {dict(self.statuses)}, {len(self.wrong)} wrong; {self.asked_again} asked again at the next replica;"
              f" the slowest took {self.slowest:.2f} s; {sum(fetched.values())} fetches of {len(fetched)} sources, {again} of them more than once.")
        if self.wrong: fail("; ".join(self.wrong[:5]))
        if late: fail(f"it took more than 2 s {', '.join(late)}")


try:
    chaos = Chaos()
    chaos.redis = redis()
    chaos.s3 = s3()
    chaos.replicas = [new_replica(index) for index in range(3)]
    equal_requests()
    every_source_once()
    costs()
    if seconds > 0: chaos.run()
    end_all(chaos.replicas)
finally:
    kill_all()
