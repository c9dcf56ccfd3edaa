"""What a cache of a number of bytes keeps: the least recently used rule, and W-TinyLFU (Einziger, Friedman, Manes 2017)."""
from collections import OrderedDict


class LRU:
    """The rule of MemoryCache: what was used longest ago leaves first."""

    def __init__(self, capacity):
        self.capacity, self.used, self.entries = capacity, 0, OrderedDict()

    def access(self, key, size):
        if key in self.entries:
            self.entries.move_to_end(key)
            return True
        if size > self.capacity: return False
        self.entries[key] = size
        self.used += size
        while self.used > self.capacity: self.used -= self.entries.popitem(last=False)[1]
        return False


class Frequencies:
    """How often keys were asked for lately: exact counts up to 15, halved from time to time. A sketch can only be worse."""

    def __init__(self): self.counts, self.seen = {}, 0

    def note(self, key, sample):
        self.counts[key] = min(15, self.counts.get(key, 0) + 1)
        self.seen += 1
        if self.seen >= sample:
            self.counts = {one: count // 2 for one, count in self.counts.items() if count > 1}
            self.seen = 0


class TinyLFU:
    """A window by recency, and a main part that lets an entry in where it is asked for more often than what must leave for it.

    Four fifths of the main part are for entries that were used there again. With sizes: an entry is compared with the sum of
    the frequencies of all that must leave. `adapts`: the window grows and shrinks by hill climbing.
    """

    def __init__(self, capacity, window=0.01, adapts=False):
        self.capacity, self.share, self.adapts = capacity, window, adapts
        self.window, self.probation, self.protected = OrderedDict(), OrderedDict(), OrderedDict()
        self.bytes = {"window": 0, "probation": 0, "protected": 0}
        self.frequencies = Frequencies()
        self.asked = self.hits = 0
        self.last, self.step = None, 0.0625

    def put(self, part, key, size):
        getattr(self, part)[key] = size
        self.bytes[part] += size

    def take(self, part, key):
        size = getattr(self, part).pop(key)
        self.bytes[part] -= size
        return size

    def access(self, key, size):
        count = len(self.window) + len(self.probation) + len(self.protected)
        self.frequencies.note(key, max(1000, 10 * count))
        if self.adapts: self.climb(max(1000, 10 * count))
        self.asked += 1
        if key in self.window: self.window.move_to_end(key)
        elif key in self.protected: self.protected.move_to_end(key)
        elif key in self.probation:
            self.put("protected", key, self.take("probation", key))
            self.demote()
        else:
            if size <= self.capacity:
                self.put("window", key, size)
                self.settle()
            return False
        self.hits += 1
        return True

    def demote(self):
        while self.bytes["protected"] > 0.8 * (1 - self.share) * self.capacity and len(self.protected) > 1:
            oldest = next(iter(self.protected))
            self.put("probation", oldest, self.take("protected", oldest))

    def settle(self):
        while self.bytes["window"] > self.share * self.capacity:
            oldest = next(iter(self.window))
            self.offer(oldest, self.take("window", oldest))

    def offer(self, key, size):
        room = (1 - self.share) * self.capacity
        missing = self.bytes["probation"] + self.bytes["protected"] + size - room
        victims, gained, weight = [], 0, 0
        counts = self.frequencies.counts
        for part in ("probation", "protected"):
            for other, bytes in getattr(self, part).items():
                if gained >= missing: break
                victims.append((part, other))
                gained, weight = gained + bytes, weight + counts.get(other, 0)
        if gained < missing or victims and counts.get(key, 0) <= weight: return
        for part, other in victims: self.take(part, other)
        self.put("probation", key, size)

    def climb(self, sample):
        if self.asked < sample: return
        rate = self.hits / self.asked
        self.asked = self.hits = 0
        if self.last is not None:
            change = rate - self.last
            if change < 0: self.step = -self.step
            self.step = (0.0625 if self.step > 0 else -0.0625) if abs(change) >= 0.05 else self.step * 0.98
            self.share = min(0.8, max(0.01, self.share + self.step))
            self.settle()
            self.demote()
            # A smaller main part gives back what no longer fits.
            while self.bytes["probation"] + self.bytes["protected"] > (1 - self.share) * self.capacity:
                part = "probation" if self.probation else "protected"
                self.take(part, next(iter(getattr(self, part))))
        self.last = rate
