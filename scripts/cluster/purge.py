#!/usr/bin/env python3
"""Three replicas that share Redis, sources that change under load, and purges, while a replica is killed with SIGKILL and comes back. Used by
scripts/cluster.sh.

    purge.py GANNET ROUNDS

No request that begins a second after the answer to a purge, or later, may get a byte of before. Prints how late the last one was.
"""
import hashlib, hmac, http.client, os, random, sys, threading, time, urllib.parse

from pieces import Source, address, end_all, fail, free_port, get, is_whole, kill_all, replica, source, start, until_ready, work

gannet, rounds = sys.argv[1], int(sys.argv[2])
ports, redis_port = [free_port() for _ in range(3)], free_port()
key = os.urandom(32).hex()
(work / "purge-key").write_text(key)
SOURCES = 40


def new_replica(index):
    process = replica(gannet, index, ports[index], "--redis", f"redis://127.0.0.1:{redis_port}", "--purge-key-file", str(work / "purge-key"))
    until_ready(ports[index])
    return process


def purge(port, name, value):
    """When it was answered."""
    query = urllib.parse.urlencode([(name, value), ("expires", int(time.time()) + 60), ("nonce", os.urandom(16).hex())], quote_via=urllib.parse.quote, safe="")
    target = "/purge?" + query
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", f"{target}&sig={hmac.new(key.encode(), target.encode(), hashlib.sha256).hexdigest()}")
    response = connection.getresponse()
    body = response.read()
    if response.status != 200: fail(f"a purge was answered with {response.status}: {body}")
    return time.monotonic()


class Load:
    """Asks all replicas for all sources, and notes what it got of which version, and when it asked."""

    def __init__(self):
        self.stop, self.seen, self.wrong, self.lock = threading.Event(), [], [], threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(seed,)) for seed in range(6)]
        for thread in self.threads: thread.start()

    def run(self, seed):
        choose = random.Random(seed)
        while not self.stop.is_set():
            number, port, begin = choose.randrange(SOURCES), choose.choice(ports), time.monotonic()
            try: status, _, body = get(port, address(number, choose.choice([20, 30, 40])), timeout=20)
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
                continue
            version = next((shift for shift in range(Source.shift, -1, -1) if status == 200 and is_whole(body, number + shift)), None)
            with self.lock:
                if version is None: self.wrong.append(f"{status} or another image for {number}")
                else: self.seen.append((begin, number, version))

    def end(self):
        self.stop.set()
        for thread in self.threads: thread.join()


try:
    server = start("redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", cwd=work)
    replicas = [new_replica(index) for index in range(3)]
    base = f"http://127.0.0.1:{source.server_port}"
    load, latest = Load(), 0.0
    for turn in range(rounds):
        # Until all replicas have all of it.
        time.sleep(2)
        name, value, numbers = [
            ("prefix", base + "/", range(SOURCES)), ("tag", "t3", [number for number in range(SOURCES) if number % 10 == 3]),
            ("source", f"{base}/5.png", [5]), ("everything", "1", range(SOURCES)),
        ][turn % 4]
        Source.shift += 1
        victim = (turn + 1) % 3
        replicas[victim].kill()
        replicas[victim].wait()
        answered = purge(ports[turn % 3], name, value)
        replicas[victim] = new_replica(victim)
        time.sleep(2)
        with load.lock: seen = [one for one in load.seen if one[0] > answered and one[1] in numbers]
        if len([one for one in seen if one[0] > answered + 1]) < 3: fail(f"hardly anything was asked for after the purge of the {name}")
        if load.wrong: fail("; ".join(load.wrong[:5]))
        old = [begin - answered for begin, _, version in seen if version < Source.shift]
        latest = max([latest] + old)
        late = [seconds for seconds in old if seconds > 1]
        if late: fail(f"{len(late)} of {len(seen)} answers {max(late):.2f} s after the purge of the {name} are older than it")
    load.end()
    print(f"{rounds} purges, a replica killed before each: of {len(load.seen)} answers none was older than a purge a second before; the last old one {latest:.2f} s after.")
    end_all(replicas)
finally:
    kill_all()
