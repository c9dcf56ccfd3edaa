"""Clients that ask for much and read little, over HTTP/1.1 and HTTP/2; ask for everything at once; or send frames that ask for nothing. Each returns what came of it,
and whether that is as it should be."""
import re, selectors, socket, ssl, struct, time

import frames
from floods import open_all


def unread(service, count, target):
    """Each client asks once for the same stored answer, and reads nothing."""
    clients = open_all(service.port, count)
    for client in clients: client.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    return held(service, clients, "clients")


def unread_streams(service, count, target, streams=100):
    """The same over HTTP/2: each client has so many requests, and gives no room for a body."""
    clients, asked = [], b"".join(frames.request(target, 1 + 2 * number) for number in range(streams))
    for number in range(count):
        try:
            client = frames.connect(service.port, f"127.0.2.{1 + number // 5000}")
            client.sendall(frames.PREFACE + frames.settings(0) + asked)
            clients.append(client)
        except OSError: pass
    return held(service, clients, f"clients with {streams} requests each")


def held(service, clients, words, seconds=5):
    time.sleep(seconds)
    alive = service.process.poll() is None
    for client in clients: client.close()
    return f"{len(clients):,} {words}; the service continues" if alive else "**the service ended**", alive and len(clients) > 0


def all_at_once(service, count, target):
    """So many connections at the same moment, each with a request of its own."""
    chooser, waiting, answers, begin = selectors.DefaultSelector(), {}, [], time.monotonic()
    for number in range(count):
        client = socket.socket()
        client.bind((f"127.0.3.{1 + number // 5000}", 0))
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", service.port))
        waiting[client] = (number, b"")
        chooser.register(client, selectors.EVENT_WRITE)
    while waiting and time.monotonic() - begin < 120:
        for key, events in chooser.select(1):
            client, (number, received) = key.fileobj, waiting[key.fileobj]
            try:
                if events & selectors.EVENT_WRITE:
                    client.sendall(f"GET {target(number)} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                    chooser.modify(client, selectors.EVENT_READ)
                    continue
                piece = client.recv(65536)
            except OSError: piece = b""
            received += piece
            status = re.match(rb"HTTP/1\.1 (\d{3}) ", received)
            if piece and not status:
                waiting[client] = (number, received)
                continue
            answers.append((int(status[1]), b"retry-after:" in received.lower()) if status else (0, False))
            del waiting[client]
            chooser.unregister(client)
            client.close()
    late = len(waiting)
    for client in waiting: client.close()
    chooser.close()
    counts = {status: sum(1 for found, _ in answers if found == status) for status in (200, 503)}
    without = count - sum(counts.values())
    # The system drops an answer on its way to a client whose request comes while its connection is closed.
    right = without <= count // 1000 and counts[200] > 0 and all(retry for status, retry in answers if status == 503)
    return f"{'each' if without == 0 else f'all but {without}'} answered: 200, or 503 with Retry-After" if right else f"{counts}, {without} without an answer, {late} of them open after two minutes", right


def frame_flood(service, name, piece, seconds=20):
    """One client sends frames that bring no request forward, until the connection ends."""
    client, calm, end = frames.connect(service.port), False, time.monotonic() + seconds
    client.sendall(frames.PREFACE + frames.settings(65535))
    client.settimeout(0.01)
    sent, closed, received = 0, False, frames.read(client)
    while time.monotonic() < end and not closed:
        try: sent += client.send(piece * 100)
        except (TimeoutError, ssl.SSLWantWriteError): pass
        except OSError: closed = True
    client.settimeout(5)
    for kind, _, _, content in received:
        if kind == frames.GOAWAY: calm = struct.unpack(">I", content[4:8])[0] == 11
    client.close()
    return ("GOAWAY with ENHANCE_YOUR_CALM, closed" if calm else "closed") if closed else f"open after {seconds} s", closed


FLOODS = [
    ("WINDOW_UPDATE for the connection", frames.frame(frames.WINDOW, b"\0\0\0\1")),
    ("frames of an unknown type", frames.frame(0xAA, b"abcd")),
    ("PRIORITY", frames.frame(2, b"\0\0\0\0\1", stream=1)),
    ("PING", frames.frame(frames.PING, b"12345678")),
    ("SETTINGS", frames.settings(65535)),
]
