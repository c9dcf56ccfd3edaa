"""HTTP/2 byte by byte, for clients that no library would make: connections over TLS, and frames (RFC 9113) whose fields are not compressed."""
import socket, ssl, struct

DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.set_alpn_protocols(["h2"])


def frame(kind, payload=b"", flags=0, stream=0): return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(window): return frame(SETTINGS, struct.pack(">HI", 4, window))


def request(target, stream):
    """GET, ended. RFC 7541: numbers of the static table, and literals."""
    def length(count): return bytes([count]) if count < 127 else bytes([127, *([count - 127] if count < 255 else [(count - 127) % 128 | 128, (count - 127) // 128])])
    fields = b"\x82\x87\x01\x01a\x04" + length(len(target)) + target.encode()
    return frame(HEADERS, fields, flags=5, stream=stream)


def connect(port, source="127.0.0.1", timeout=10):
    client = socket.create_connection(("127.0.0.1", port), timeout=timeout, source_address=(source, 0))
    return context.wrap_socket(client)


def read(client):
    """Kinds, flags, streams and contents of frames, until the connection ends or its time is over."""
    rest = b""
    while True:
        while len(rest) < 9 or len(rest) < 9 + int.from_bytes(rest[:3], "big"):
            try: more = client.recv(65536)
            except OSError: return
            if not more: return
            rest += more
        count = int.from_bytes(rest[:3], "big")
        yield rest[3], rest[4], int.from_bytes(rest[5:9], "big"), rest[9:9 + count]
        rest = rest[9 + count:]
