"""Clients that want the service's connections, memory or time. Each attack returns what came of it, and whether that is as it should be."""
import re, selectors, socket, threading, time

HEAD = b"GET /health HTTP/1.1\r\nHost: a\r\n"


def statuses(answer): return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def open_all(port, count):
    """As many connections as the service takes at once; those that it closes are part of the attack."""
    clients = []
    for number in range(count):
        client = socket.socket()
        # A range of the loopback each, so that no address runs out of ports.
        client.bind((f"127.0.1.{1 + number // 5000}", 0))
        # 2,500 a second at the most: this machine's processors are the service's too.
        if number % 25 == 24: time.sleep(0.01)
        client.settimeout(5)
        try:
            client.connect(("127.0.0.1", port))
            clients.append(client)
        except OSError: client.close()
    return clients


def drip(clients, pieces, seconds, pause):
    """Sends `pieces()` on every connection, every `pause` seconds, until the service takes nothing more, and reads what comes. Returns what
    each received, and whether the service closed all of them in time."""
    received, chooser, open_ones, end = {client: b"" for client in clients}, selectors.DefaultSelector(), set(clients), time.monotonic() + seconds
    for client in clients:
        client.setblocking(False)
        chooser.register(client, selectors.EVENT_READ)
    next_piece = 0
    while open_ones and time.monotonic() < end:
        for key, _ in chooser.select(pause / 4):
            try: piece = key.fileobj.recv(65536)
            except BlockingIOError: continue
            except OSError: piece = b""
            received[key.fileobj] += piece
            # The service has ended its own side, and may go on reading.
            if not piece: chooser.unregister(key.fileobj)
        if time.monotonic() < next_piece: continue
        next_piece = time.monotonic() + pause
        for client in list(open_ones):
            try: client.send(pieces())
            except BlockingIOError: pass
            except OSError: open_ones.discard(client)
        if not chooser.get_map(): time.sleep(pause)
    for client in clients: client.close()
    chooser.close()
    return list(received.values()), not open_ones


def drip_heads(service, count):
    clients = open_all(service.port, count)
    for client in clients: client.sendall(HEAD + b"X: ")
    received, closed = drip(clients, lambda: b"a", 15, 0.5)
    # A place may be needed for another one before that.
    right = all(statuses(answer) in ([], [503]) for answer in received)
    return ("closed when their time for a request was over, none answered", right) if closed and right else ("answered" if closed else "open after 15 s", False)


def flood(service, count, start, pieces, expected, seconds=20):
    """`count` clients send `pieces()` without an end, behind `start`."""
    clients = open_all(service.port, count)
    for client in clients: client.sendall(start)
    received, closed = drip(clients, pieces, seconds, 0.02)
    found = sorted({tuple(statuses(answer)) for answer in received})
    # Whoever is still sending when the connection is closed may lose the answer.
    right = all(one in (expected, ()) for one in found) and expected in found
    words = " or ".join(", ".join(map(str, one)) or "no answer" for one in found if one or not right)
    return f"{words}, {'closed' if closed else 'still open'}", closed and right


def header_flood(service, count):
    field = b"X-Field: " + b"a" * 4000 + b"\r\n"
    return flood(service, count, HEAD, lambda: field * 4, (400,))


def endless_field(service, count): return flood(service, count, HEAD + b"X: ", lambda: b"a" * 16384, (400,))


def endless_line(service, count): return flood(service, count, b"GET /", lambda: b"a" * 16384, (414,))


def body_flood(service, count):
    start = b"POST /_/w:10/plain/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000000\r\n\r\n"
    return flood(service, count, start, lambda: b"a" * 65536, (405,))


def chunk_flood(service, count):
    chunk = b"1000\r\n" + b"a" * 4096 + b"\r\n"
    return flood(service, count, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", lambda: chunk * 8, (200,))


def idle(service, count):
    """Connections that ask nothing; new ones instead of those that the service closes."""
    clients, closed, end = open_all(service.port, count), 0, time.monotonic() + 5
    chooser = selectors.DefaultSelector()
    for client in clients: chooser.register(client, selectors.EVENT_READ)
    while time.monotonic() < end:
        for key, _ in chooser.select(0.1):
            chooser.unregister(key.fileobj)
            key.fileobj.close()
            closed += 1
        time.sleep(0.05)
    still = len(chooser.get_map())
    for key in list(chooser.get_map().values()): key.fileobj.close()
    chooser.close()
    return still, closed


def pipeline(service, count):
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
        requests = (HEAD + b"\r\n") * (count - 1) + HEAD + b"Connection: close\r\n\r\n"
        sender = threading.Thread(target=client.sendall, args=(requests,))
        sender.start()
        answer = b""
        while piece := client.recv(65536): answer += piece
        sender.join()
    found = statuses(answer)
    return f"{len(found)} answers, all 200, in order" if set(found) == {200} else f"{len(found)} answers: {sorted(set(found))}", found == [200] * count


def unread(service, count, target):
    """Asks again and again, and reads nothing."""
    clients = open_all(service.port, count)
    request, sent = b"GET " + target.encode() + b" HTTP/1.1\r\nHost: a\r\n\r\n", 0
    for client in clients: client.setblocking(False)
    end, open_ones = time.monotonic() + 20, set(clients)
    while open_ones and time.monotonic() < end:
        for client in list(open_ones):
            try: sent += client.send(request * 100)
            except BlockingIOError: pass
            except OSError: open_ones.discard(client)
        time.sleep(0.02)
    for client in clients: client.close()
    return "closed when the client did not read" if not open_ones else f"{len(open_ones)} of {count} open after 20 s", not open_ones


def signatures(service, signed):
    """Every byte of right addresses changed in four ways, cut, and doubled."""
    accepted, count, codes = [], 0, set()
    for target in signed:
        right = target.encode()
        for index in range(len(right)):
            changed = [right[:index] + bytes([byte]) + right[index + 1:] for byte in {right[index] ^ 1, right[index] ^ 0x20, ord("A"), ord("=")} - {right[index]}]
            for wrong in changed + [right[:index] + right[index + 1:], right[:index + 1] + right[index:]]:
                if wrong == right: continue
                count += 1
                with socket.create_connection(("127.0.0.1", service.port), timeout=10) as client:
                    client.sendall(b"GET " + wrong + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    answer = b""
                    while piece := client.recv(65536): answer += piece
                codes |= set(statuses(answer))
                if statuses(answer) not in ([403], [400]): accepted.append(wrong)
    return f"{count} addresses: {' or '.join(map(str, sorted(codes)))}", not accepted
