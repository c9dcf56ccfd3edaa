"""A mix of clients for a long time, on a service with HTTP/1.1 and on one with TLS and HTTP/2, while a good client's every answer is compared, and memory and descriptors
are sampled: both must be flat."""
import random, signal, socket, statistics, sys, threading, time

import floods, frames, readers, rebinding, smuggling
from smuggling import talk


def run(services, seconds, names):
    """`names`: None without root."""
    ends, counts, outcomes, wrong, sources = threading.Event(), {}, {}, [], services[0].image.split("/plain/")[1].rsplit("/", 1)[0]
    plain, secure = services
    large = f"/_/rs:force:1000:1000:1/f:bmp/plain/{sources}%2Fa.png"
    good = [f"/_/w:{width}/f:png/plain/{sources}%2Fgood{width}.png" for width in range(16, 32)] + [large]
    expected = {target: services[0].get(target, timeout=60).body for target in good}

    def good_client(chance):
        """Nothing that the others do may change an answer, or keep it back."""
        for service in services:
            target = chance.choice(good)
            response = service.get(target, timeout=30)
            if response.status != 200 or response.body != expected[target]: wrong.append(f"a good client's answer: {response.status}, {len(response.body)} bytes")

    def image(chance):
        # Some were asked for before, and some are new; so few that caches do not grow after the first minutes.
        width, number = chance.choice((16, 24, chance.randrange(16, 32))), chance.choice((1, 2, chance.randrange(100)))
        response = chance.choice(services).get(f"/_/w:{width}/f:png/plain/{sources}%2F{number}.png", timeout=30)
        if response.status != 200 or not response.body.startswith(b"\x89PNG"): wrong.append(f"image: {response.status}")

    def broken(chance):
        """Sources that are no image, or end too early, or do not answer; and addresses that are none."""
        names = ("none", "damaged", "text", "huge", "cut", "moved", "busy")
        target = chance.choice(("/nothing", "/9x9/fit?url=http://example.org/a.png", *(f"/_/w:{chance.randrange(9, 30)}/plain/{sources}%2F{name}" for name in names)))
        status = chance.choice(services).get(target, timeout=30).status
        if status not in (200, 400, 403, 404, 413, 415, 502, 503): wrong.append(f"broken: {target}: {status}")

    def smuggled(chance):
        name, data, answers = chance.choice(smuggling.FORMS)
        outcome, right = smuggling.attempt(plain.port, data, answers, times=1)
        if not right: wrong.append(f"{name}: {outcome}")

    def leaver(chance):
        """Asks, and leaves before the answer or in the middle of the request."""
        request = f"GET /_/w:{chance.randrange(16, 32)}/f:png/plain/{sources}%2F{chance.randrange(100)}.png HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", plain.port), timeout=5) as client: client.sendall(request[:chance.randrange(1, len(request) + 1)])

    def slow(chance):
        answer, _ = talk(plain.port, floods.HEAD + b"X: ", patience=chance.random() * 2)
        if answer: wrong.append(f"slow: {answer[:100]}")

    def slow_reader(chance):
        """Asks for more than the system's buffers hold, again and again, and reads a little of it, or nothing."""
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(5)
            client.connect(("127.0.0.1", plain.port))
            client.sendall(f"GET {large} HTTP/1.1\r\nHost: a\r\n\r\n".encode() * chance.randrange(1, 20))
            for _ in range(chance.randrange(20)):
                client.recv(4096)
                time.sleep(0.05)

    def slow_streams(chance):
        """The same over HTTP/2, where each request has a window of its own that is opened by some bytes."""
        with frames.connect(secure.port) as client:
            streams = range(1, 2 * chance.randrange(1, 100), 2)
            client.sendall(frames.PREFACE + frames.settings(chance.choice((0, 1, 1000))) + b"".join(frames.request(large, stream) for stream in streams))
            for _ in range(chance.randrange(20)):
                client.sendall(frames.frame(frames.WINDOW, b"\0\0\1\0", stream=chance.choice(streams)))
                time.sleep(0.05)
            if chance.random() < 0.5: client.sendall(b"".join(frames.frame(frames.RESET, b"\0\0\0\x08", stream=stream) for stream in streams))

    def frame_flood(chance):
        outcome, right = readers.frame_flood(secure, *chance.choice(readers.FLOODS))
        if not right: wrong.append(f"frames: {outcome}")
        time.sleep(1)

    def pipeline(chance):
        count = chance.randrange(2, 200)
        outcome, right = floods.pipeline(plain, count)
        if not right: wrong.append(f"pipeline of {count}: {outcome}")

    def rebound(chance):
        """A name that leads to an inner server when it is asked for again."""
        port = sources.rsplit("%3A", 1)[-1].rsplit(":", 1)[-1]
        target = f"/_/w:{chance.randrange(16, 32)}/f:png/plain/http://n{chance.randrange(500)}.{rebinding.ZONE}:{port}/{chance.randrange(100)}.png"
        status = chance.choice(services).get(target, timeout=30).status
        outcomes[status] = outcomes.get(status, 0) + 1
        if status not in (200, 403, 502, 503): wrong.append(f"rebinding: {status}")
        time.sleep(0.1)

    def hangup(chance):
        """The files of the options are read again, and requests under way end as they began."""
        for service in services: service.process.send_signal(signal.SIGHUP)
        time.sleep(1 + chance.random())

    def health(chance):
        for service in services:
            begin = time.monotonic()
            if service.get("/health", timeout=5).status != 200 or time.monotonic() - begin > 1: wrong.append(f"/health: {time.monotonic() - begin:.1f} s")
        time.sleep(0.2)

    def client(kind, seed):
        chance = random.Random(seed)
        while not ends.is_set():
            try: kind(chance)
            # These may be closed at any time: that is the service's right.
            except OSError as error:
                if kind not in (slow_reader, slow_streams): wrong.append(f"{kind.__name__}: {error!r}")
            except Exception as error: wrong.append(f"{kind.__name__}: {error!r}")
            counts[kind.__name__] = counts.get(kind.__name__, 0) + 1
            # Most of the processor is for the service.
            time.sleep(0.5)

    kinds = [good_client, image, image, broken, smuggled, leaver, slow, slow, slow_reader, slow_reader, slow_streams, slow_streams, frame_flood, pipeline, hangup, health]
    if names: kinds.append(rebound)
    threads = [threading.Thread(target=client, args=(kind, seed)) for seed, kind in enumerate(kinds)]
    for thread in threads: thread.start()
    samples, begin = [], time.monotonic()
    while (now := time.monotonic() - begin) < seconds and all(service.process.poll() is None for service in services):
        samples.append([value for service in services for value in (service.memory_mib(), service.descriptors())])
        if len(samples) % 60 == 1: print(f"{now:.0f} s: " + "; ".join(f"{memory:.0f} MiB, {descriptors} descriptors" for memory, descriptors in (samples[-1][:2], samples[-1][2:])), flush=True)
        time.sleep(1)
    ends.set()
    for thread in threads: thread.join()
    # The first quarter fills caches and starts workers.
    quarter = max(len(samples) // 4, 1)
    early, late = ([statistics.median(column) for column in zip(*part)] for part in (samples[quarter:2 * quarter], samples[-quarter:]))
    print(counts)
    if names:
        print(f"Rebinding: {names.questions} questions, {names.visits} visits of the inner server, answers by status: {outcomes}.")
        if names.visits: wrong.append(f"{names.visits} connections to the inner server")
        if not {200, 502} <= set(outcomes): wrong.append(f"rebinding had no effect: {outcomes}")
    else: print("No rebinding: it needs root, for a name server.")
    for name, service, at in (("HTTP/1.1", plain, 0), ("HTTP/2", secure, 2)):
        print(f"{name}: memory {early[at]:.0f} and then {late[at]:.0f} MiB, {early[at + 1]:.0f} and then {late[at + 1]:.0f} descriptors.")
        code = service.stop()
        if code != 0: wrong.append(f"{name}: ended with {code}: {service.errors()}")
        if late[at] > early[at] * 1.1 + 16: wrong.append(f"{name}: memory grows")
        if late[at + 1] > early[at + 1] * 1.1 + 8: wrong.append(f"{name}: descriptors grow")
    if wrong: sys.exit(f"{len(wrong)} wrong: " + "; ".join(wrong[:10]))
