"""A mix of clients for a long time, while memory and descriptors are sampled: both must be flat."""
import random, socket, statistics, sys, threading, time

import floods, smuggling
from smuggling import talk


def run(service, seconds):
    ends, counts, wrong, sources = threading.Event(), {}, [], service.image.split("/plain/")[1].rsplit("/", 1)[0]

    def image(chance):
        # Some were asked for before, and some are new; so few that caches do not grow after the first minutes.
        width, number = chance.choice((16, 24, chance.randrange(16, 32))), chance.choice((1, 2, chance.randrange(100)))
        response = service.get(f"/_/w:{width}/f:png/plain/{sources}%2F{number}.png", timeout=30)
        if response.status != 200 or not response.body.startswith(b"\x89PNG"): wrong.append(f"image: {response.status}")

    def refusal(chance):
        target = chance.choice(("/nothing", "/9x9/fit?url=http://example.org/a.png", f"/_/w:9/plain/{sources}%2Fnone", f"/_/w:9/plain/{sources}%2Fdamaged"))
        if service.get(target, timeout=30).status not in (400, 403, 404, 415): wrong.append(f"refusal: {target}")

    def smuggled(chance):
        name, data, expected = chance.choice(smuggling.FORMS)
        outcome, right = smuggling.attempt(service.port, data, expected, times=1)
        if not right: wrong.append(f"{name}: {outcome}")

    def leaver(chance):
        """Asks, and leaves before the answer or in the middle of the request."""
        request = f"GET /_/w:{chance.randrange(16, 32)}/f:png/plain/{sources}%2F{chance.randrange(100)}.png HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", service.port), timeout=5) as client: client.sendall(request[:chance.randrange(1, len(request) + 1)])

    def slow(chance):
        answer, _ = talk(service.port, floods.HEAD + b"X: ", patience=chance.random() * 2)
        if answer: wrong.append(f"slow: {answer[:100]}")

    def pipeline(chance):
        count = chance.randrange(2, 200)
        outcome, right = floods.pipeline(service, count)
        if not right: wrong.append(f"pipeline of {count}: {outcome}")

    def health(chance):
        begin = time.monotonic()
        if service.get("/health", timeout=5).status != 200 or time.monotonic() - begin > 1: wrong.append(f"/health: {time.monotonic() - begin:.1f} s")
        time.sleep(0.2)

    def client(kind, seed):
        chance = random.Random(seed)
        while not ends.is_set():
            try: kind(chance)
            except Exception as error: wrong.append(f"{kind.__name__}: {error!r}")
            counts[kind.__name__] = counts.get(kind.__name__, 0) + 1
            # Most of the processor is for the service.
            time.sleep(0.02)

    kinds = [image, image, refusal, smuggled, leaver, slow, slow, pipeline, health]
    threads = [threading.Thread(target=client, args=(kind, seed)) for seed, kind in enumerate(kinds)]
    for thread in threads: thread.start()
    samples, begin = [], time.monotonic()
    while (now := time.monotonic() - begin) < seconds and service.process.poll() is None:
        samples.append((service.memory_mib(), service.descriptors()))
        if len(samples) % 60 == 1: print(f"{now:.0f} s: {samples[-1][0]:.0f} MiB, {samples[-1][1]} descriptors", flush=True)
        time.sleep(1)
    ends.set()
    for thread in threads: thread.join()
    code = service.stop()
    # The first quarter fills caches and starts workers.
    quarter = max(len(samples) // 4, 1)
    (early, late) = [[statistics.median(sample[index] for sample in part) for index in (0, 1)] for part in (samples[quarter:2 * quarter], samples[-quarter:])]
    print(f"{counts}\nMemory {early[0]:.0f} and then {late[0]:.0f} MiB, {early[1]:.0f} and then {late[1]:.0f} descriptors.")
    if code != 0: wrong.append(f"ended with {code}: {service.errors()}")
    if late[0] > early[0] * 1.1 + 16: wrong.append("memory grows")
    if late[1] > early[1] * 1.1 + 8: wrong.append("descriptors grow")
    if wrong: sys.exit(f"{len(wrong)} wrong: " + "; ".join(wrong[:10]))
