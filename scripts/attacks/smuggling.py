"""Requests whose end two servers may see in different places. The second request in each, for /metrics, is what an attacker would smuggle past a
proxy: it must not be answered, other than behind a request that has one meaning only."""
import socket

from floods import statuses

HOST = "Host: a\r\n"
HIDDEN = "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def get(fields, body=""): return f"GET /health HTTP/1.1\r\n{HOST}{fields}\r\n{body}"


def post(fields, body): return f"POST /health HTTP/1.1\r\n{HOST}{fields}\r\n{body}"


CHUNKED, LAST = "Transfer-Encoding: chunked\r\n", "0\r\n\r\n"

# What is sent before the hidden request, and the statuses of all answers. 200: the head was answered, and the connection closed behind it, because
# no answer depends on a body. Either of 400 and 405: the head was answered, or the body was found unreadable before.
FORMS = [
    ("Content-Length and Transfer-Encoding (CL.TE)", post("Content-Length: 6\r\n" + CHUNKED, LAST), {(400,)}),
    ("Transfer-Encoding and Content-Length (TE.CL)", post(CHUNKED + "Content-Length: 4\r\n", "60\r\n"), {(400,)}),
    ("both, in GET", get("Content-Length: 6\r\n" + CHUNKED, LAST), {(400,)}),
    ("a body in GET", get("Content-Length: 4\r\n", "abcd"), {(200,)}),
    ("a chunked body in GET", get(CHUNKED, LAST), {(200,)}),
    ("a body in HEAD", f"HEAD /health HTTP/1.1\r\n{HOST}Content-Length: 4\r\n\r\nabcd", {(200,)}),
    ("`Transfer-Encoding: xchunked`", get("Transfer-Encoding: xchunked\r\n", LAST), {(400,), (200,)}),
    ("`Transfer-Encoding : chunked`", get("Transfer-Encoding : chunked\r\n", LAST), {(400,)}),
    ("`Transfer-Encoding:` tab `chunked`", get("Transfer-Encoding:\tchunked\r\n", LAST), {(200,)}),
    ("`Transfer-Encoding:` vertical tab `chunked`", get("Transfer-Encoding: \x0bchunked\r\n", LAST), {(400,)}),
    ("`Transfer-Encoding: chunked` NUL", get("Transfer-Encoding: chunked\0\r\n", LAST), {(400,)}),
    ("`Transfer-Encoding` twice", get(CHUNKED + "Transfer-Encoding: identity\r\n", LAST), {(400,)}),
    ("`Transfer-Encoding: chunked, identity`", get("Transfer-Encoding: chunked, identity\r\n", LAST), {(400,)}),
    ("`Transfer-Encoding: identity`", get("Transfer-Encoding: identity\r\n"), {(400,), (200,)}),
    ("`Transfer-Encoding:` nothing", get("Transfer-Encoding:\r\n"), {(200,)}),
    ("`Transfer_Encoding`", get("Transfer_Encoding: chunked\r\n", LAST), {(200, 400)}),
    ("`X: y` CR `Transfer-Encoding: chunked`", get("X: y\rTransfer-Encoding: chunked\r\n", LAST), {(400,)}),
    ("`X: y` LF `Transfer-Encoding: chunked`", get("X: y\nTransfer-Encoding: chunked\r\n", LAST), {(400,)}),
    ("a folded field (obs-fold)", get("X: y\r\n z\r\n"), {(400,)}),
    ("a folded Transfer-Encoding", get("Transfer-Encoding:\r\n chunked\r\n", LAST), {(400,)}),
    ("a folded Content-Length", get("Content-Length:\r\n 4\r\n", "abcd"), {(400,)}),
    ("a folded line before all fields", f"GET /health HTTP/1.1\r\n {HOST}{HOST}\r\n", {(400,)}),
    ("lines that end with LF", "GET /health HTTP/1.1\nHost: a\n\n", {(400,)}),
    ("an empty line of LF", f"GET /health HTTP/1.1\r\n{HOST}\n", {(400,)}),
    ("lines that end with CR", "GET /health HTTP/1.1\rHost: a\r\r", {(400,)}),
    ("CR in a field", get("X: y\rz\r\n"), {(400,)}),
    ("NUL in a field", get("X: a\0b\r\n"), {(400,)}),
    ("a field without a colon, or without a name", get("Xyz\r\n: x\r\n"), {(400,)}),
    ("Content-Length twice, the same", get("Content-Length: 4\r\n" * 2, "abcd"), {(400,)}),
    ("Content-Length twice, 0 and 4", get("Content-Length: 0\r\nContent-Length: 4\r\n", "abcd"), {(400,)}),
    *[(f"`Content-Length: {value}`", get(f"Content-Length: {value}\r\n", "abcd"), {(400,)})
      for value in ("4, 4", "+4", "-1", "0x4", "4 4", "18446744073709551620")],
    ("`Content-Length` with nothing", get("Content-Length:\r\n"), {(400,)}),
    ("`Content-Length : 4`", get("Content-Length : 4\r\n", "abcd"), {(400,)}),
    ("chunk extensions", post(CHUNKED, "4;a=b\r\nabcd\r\n0;x\r\n\r\n"), {(405,)}),
    ("a chunk extension that ends with LF", post(CHUNKED, "2;\nxx\r\n" + LAST), {(400,), (405,)}),
    *[(f"a chunk of size `{size}`", post(CHUNKED, f"{size}\r\nab\r\n" + LAST), {(400,), (405,)}) for size in ("0x2", "-2", "10000000000000002")],
    ("trailer fields that frame", post(CHUNKED, "0\r\nContent-Length: 9\r\nHost: b\r\n\r\n"), {(400,), (405,)}),
    ("a body behind `Expect: 100-continue`", post("Expect: 100-continue\r\nContent-Length: 4\r\n", "abcd"), {(405,)}),
    ("`Upgrade: h2c`", get("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"), {(200,)}),
    ("`CONNECT`", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", {(405,)}),
    ("chunked in HTTP/1.0", "GET /health HTTP/1.0\r\nConnection: keep-alive\r\n" + CHUNKED + "\r\n" + LAST, {(200,)}),
]


def attempt(port, data, expected, times=5):
    """Sends the form and the hidden request several times: two answers to one request may race."""
    found, hidden, closed = set(), False, True
    for _ in range(times):
        answer, ended = talk(port, (data + HIDDEN).encode("latin-1"))
        found.add(tuple(statuses(answer)))
        hidden |= b"gannet_requests_total" in answer
        closed &= ended
    # What is listed does not depend on which of two was faster.
    right = found <= expected and not hidden and closed
    words = " or ".join(", ".join(map(str, one)) or "nothing" for one in sorted(expected if right else found))
    return words + (", **the hidden request is answered**" if hidden else "") + (", closed" if closed else ", still open"), right


def talk(port, data, patience=5):
    """What the server answers until it closes; and whether it closed in time."""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as client:
        answer = b""
        try:
            client.sendall(data)
            while piece := client.recv(65536): answer += piece
            return answer, True
        except TimeoutError: return answer, False
        except OSError: return answer, True
