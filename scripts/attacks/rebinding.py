"""Names that lead to an allowed server at one time and to an inner one at another (DNS rebinding). Needs root: the name server listens on port 53 of the loopback, and
only this process and those that it starts read the resolv.conf that names it."""
import ctypes, os, pathlib, random, socket, struct, subprocess, tempfile, threading

ALLOWED, INNER, NAMES = "127.0.0.1", "127.0.0.9", "127.0.0.10"
ZONE = "rebinding.example"
CLONE_NEWNS = 0x20000


class Rebinding:
    """Made before any thread. `port`: of the allowed server, and of the inner one, which counts who comes."""

    def __init__(self):
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0: raise OSError(ctypes.get_errno(), "unshare needs root")
        file = pathlib.Path(tempfile.mkdtemp()) / "resolv.conf"
        file.write_text(f"nameserver {NAMES}\noptions timeout:1 attempts:2\n")
        for words in (["--make-rprivate", "/"], ["--bind", str(file), "/etc/resolv.conf"]): subprocess.run(["mount", *words], check=True)
        self.chance, self.questions, self.visits = random.Random(1), 0, 0
        self.names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.names.bind((NAMES, 53))

    def start(self, port):
        self.inner = socket.create_server((INNER, port))
        for work in (self.answer, self.count): threading.Thread(target=work, daemon=True).start()

    def answer(self):
        while True:
            question, client = self.names.recvfrom(1500)
            end = question.index(b"\0", 12) + 5
            addresses = []
            if struct.unpack("!H", question[end - 4:end - 2])[0] == 1 and ZONE.split(".")[0].encode() in question[:end]:
                self.questions += 1
                addresses = self.chance.choice(([ALLOWED], [INNER], [ALLOWED, INNER], [INNER, ALLOWED]))
            head = question[:2] + struct.pack("!HHHHH", 0x8180, 1, len(addresses), 0, 0)
            # The name is that of the question; no name server keeps it.
            records = b"".join(struct.pack("!HHHIH", 0xC00C, 1, 1, 0, 4) + socket.inet_aton(address) for address in addresses)
            self.names.sendto(head + question[12:end] + records, client)

    def count(self):
        while True:
            client, _ = self.inner.accept()
            self.visits += 1
            client.close()
