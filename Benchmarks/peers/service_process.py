"""Servers as trees of processes: what they took of the processors and of memory. Used by service.py."""
import os, re, signal, socket, subprocess, sys, time

TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(works, process, log):
    """Waits until `works` gives true; ends this program with the log if it does not within a minute."""
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            if works():
                return
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit(f"{process.args} does not answer:\n" + (open(log).read()[-2000:] if os.path.exists(log) else ""))


class Tree:
    """A process and all that descend from it."""

    def __init__(self, process):
        self.process = process

    def stats(self):
        """The fields of /proc/PID/stat behind the name, by process."""
        all = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    all[int(name)] = open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()
                except OSError:
                    pass
        tree = {self.process.pid}
        while more := {pid for pid, fields in all.items() if int(fields[1]) in tree} - tree:
            tree |= more
        return {pid: all[pid] for pid in tree if pid in all}

    def processor_seconds(self):
        """With what children took that have ended."""
        return sum(int(value) for fields in self.stats().values() for value in fields[11:15]) / TICKS

    def settle(self):
        """Waits until nothing has been done for half a second, 5 s at the most."""
        for _ in range(10):
            before = self.processor_seconds()
            time.sleep(0.5)
            if self.processor_seconds() - before <= 2 / TICKS:
                return

    def forget_peak(self):
        for pid in self.stats():
            try:
                with open(f"/proc/{pid}/clear_refs", "w") as file:
                    file.write("5")
            except OSError:
                pass

    def peak_mib(self):
        """The sum of each process' own peak: pages that processes share count for each of them."""
        total = 0
        for pid in self.stats():
            try:
                total += int(re.search(r"VmHWM:\s*(\d+)", open(f"/proc/{pid}/status").read())[1])
            except (OSError, TypeError):
                pass
        return total / 1024

    def end(self):
        tree = set(self.stats())
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            pass
        # Processes of thumbor outlive the one that started them.
        for pid in tree:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
