"""dns.py - a name server for tests, UDP and TCP, whose zone says for each name how to answer, and how to misbehave.

    zone = {"www.good.test": {"A": ["93.184.216.34"], "AAAA": [...], "CNAME": "other.test", "TXT": [...], "ttl": 60,
    "after": ["other.test"],
                              "mode": "..."},
            "*.wild.test": {...}}

Written from RFC 1035 on purpose without a look at the product's codec: the two have to agree on the wire, not in their
mistakes.

    after       no answer before all these names were asked for (20 s at most)

    mode        the answer
    nxdomain    that there is no such name (also for any name that is not in the zone)
    servfail    server failure; refused: REFUSED
    silent      none at all
    truncate    over UDP only the bit that says so, everything over TCP
    spoof       three lies ahead of the truth: another id, another question, a question that only differs in its type
    poison      the truth, and addresses for names that nobody asked for, in all sections
    loop        a compression pointer that points at itself
    short       an RDLENGTH that reaches beyond the message
    garbage     the right id, then noise
    circle      a CNAME to itself
    rebind      "A" is a list of lists: the first is the first answer, the last is all further ones
    question    a response without a question section
    huge        a count of 65535 answers, of which there is one
"""
import collections
import ipaddress
import random
import socket
import struct
import threading
import time

TYPES = {"A": 1, "NS": 2, "CNAME": 5, "SOA": 6, "PTR": 12, "MX": 15, "TXT": 16, "AAAA": 28, "SRV": 33, "OPT": 41,
         "ANY": 255}
NAMES = {v: k for k, v in TYPES.items()}
LIAR = "93.184.216.66"  # what every lie says


def pack_name(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.rstrip(".").split(".") if label) + b"\0"


def unpack_name(data, at):
    labels = []
    while data[at]:
        if data[at] & 0xc0:
            raise ValueError("a pointer in a question")
        labels.append(data[at + 1:at + 1 + data[at]])
        at += 1 + data[at]
    return b".".join(labels).decode("latin-1"), at + 1


def record(name, kind, ttl, data):
    return (name if isinstance(name, bytes) else pack_name(name)) + struct.pack("!HHIH", TYPES[kind], 1, ttl,
                                                                                len(data)) + data


def rdata(kind, value):
    if kind in ("A", "AAAA"):
        return ipaddress.ip_address(value).packed
    if kind == "TXT":
        return bytes([len(value)]) + value.encode()
    if kind == "MX":
        return struct.pack("!H", 10) + pack_name(value)
    return pack_name(value)


def message(ask, answers=(), authority=(), additional=(), rcode=0, flags=0, question=None, ident=None, count=None):
    question = ask.question if question is None else question
    return struct.pack("!HHHHHH", ask.ident if ident is None else ident, 0x8180 | flags | rcode, 1 if question else 0,
                       len(answers) if count is None else count,
                       len(authority), len(additional)) + question + b"".join(answers) + b"".join(authority) + b"".join(
                           additional)


class Ask:
    """A question that arrived."""

    def __init__(self, data):
        self.ident, self.flags, questions, _, _, additional = struct.unpack("!HHHHHH", data[:12])
        if questions != 1 or self.flags & 0x8000:
            raise ValueError("not one question")
        self.name, end = unpack_name(data, 12)
        self.type, self.cls = struct.unpack("!HH", data[end:end + 4])
        self.question = data[12:end + 4]
        self.name_bytes = data[12:end]
        self.size = 512
        if additional and data[end + 4:end + 7] == b"\0\0\x29":  # EDNS: the size of datagram that the asker takes
            self.size = max(512, struct.unpack("!H", data[end + 7:end + 9])[0])

    @property
    def kind(self):
        return NAMES.get(self.type, str(self.type))


class Server:
    def __init__(self, zone, log):
        self.zone, self.log, self.asked = zone, log, collections.Counter()
        self.lock = threading.Lock()
        self.names, self.came = set(), threading.Condition()  # what was asked for

    def serve(self, udp, tcp):
        tcp.listen(64)
        threading.Thread(target=self.serve_udp, args=(udp,), daemon=True).start()
        threading.Thread(target=self.serve_tcp, args=(tcp,), daemon=True).start()

    def serve_udp(self, sock):
        while True:
            data, peer = sock.recvfrom(65535)
            threading.Thread(target=self.answer_udp, args=(sock, data, peer), daemon=True).start()

    def answer_udp(self, sock, data, peer):
        try:
            ask = Ask(data)
        except (ValueError, IndexError, struct.error) as e:
            self.log(server="dns", what="malformed question: %s" % e)
            return
        for reply in self.replies(ask, "udp"):
            sock.sendto(reply, peer)

    def serve_tcp(self, sock):
        while True:
            peer, _ = sock.accept()
            threading.Thread(target=self.answer_tcp, args=(peer,), daemon=True).start()

    def answer_tcp(self, peer):
        with peer, peer.makefile("rb") as stream:
            try:
                while True:
                    size = stream.read(2)
                    if len(size) < 2:
                        return
                    for reply in self.replies(Ask(stream.read(struct.unpack("!H", size)[0])), "tcp"):
                        peer.sendall(struct.pack("!H", len(reply)) + reply)
            except (OSError, ValueError, IndexError, struct.error) as e:
                self.log(server="dns", what="tcp: %s" % e)

    def find(self, name):
        name = name.lower()
        if name in self.zone:
            return self.zone[name]
        parts = name.split(".")
        for i in range(1, len(parts)):
            found = self.zone.get("*." + ".".join(parts[i:]))
            if found:
                return found
        return None

    def replies(self, ask, transport):
        """-> the messages to send, usually one"""
        entry = self.find(ask.name)
        self.log(server="dns", name=ask.name, type=ask.kind, transport=transport)
        with self.came:
            self.names.add(ask.name.lower())
            self.came.notify_all()
            self.came.wait_for(lambda: self.names.issuperset((entry or {}).get("after", ())), 20)
        if entry is None:
            return [message(ask, rcode=3)]
        special = getattr(self, "mode_" + entry.get("mode", "plain"))(ask, entry, transport)
        return special

    def records(self, ask, entry, depth=0):
        """The chain that a recursive server would give."""
        out, ttl, name = [], entry.get("ttl", 60), ask.name_bytes
        while entry and "CNAME" in entry and ask.kind != "CNAME" and depth < 8:
            out.append(record(name, "CNAME", ttl, pack_name(entry["CNAME"])))
            name, entry, depth = pack_name(entry["CNAME"]), self.find(entry["CNAME"]), depth + 1
        values = (entry or {}).get(ask.kind, [])
        if isinstance(values, str):
            values = [values]
        if values and isinstance(values[0], list):  # rebinding
            with self.lock:
                turn = self.asked[ask.name, ask.kind]
                self.asked[ask.name, ask.kind] += 1
            values = values[min(turn, len(values) - 1)]
        return out + [record(name, ask.kind, ttl, rdata(ask.kind, v)) for v in values]

    def mode_plain(self, ask, entry, transport):
        whole = message(ask, self.records(ask, entry))
        if transport == "udp" and len(whole) > ask.size:
            return [message(ask, flags=0x200)]
        return [whole]

    mode_rebind = mode_plain

    def mode_nxdomain(self, ask, entry, transport):
        return [message(ask, rcode=3)]

    def mode_servfail(self, ask, entry, transport):
        return [message(ask, rcode=2)]

    def mode_refused(self, ask, entry, transport):
        return [message(ask, rcode=5)]

    def mode_silent(self, ask, entry, transport):
        return []

    def mode_truncate(self, ask, entry, transport):
        return [message(ask, flags=0x200)] if transport == "udp" else self.mode_plain(ask, entry, transport)

    def mode_spoof(self, ask, entry, transport):
        def lie():
            return [record(ask.name_bytes, "A", 600, rdata("A", LIAR))]
        yield message(ask, lie(), ident=ask.ident ^ 1)
        yield message(ask, [record("other.test", "A", 600, rdata("A", LIAR))],
                      question=pack_name("other.test") + ask.question[-4:])
        yield message(ask, lie(), question=ask.question[:-4] + struct.pack("!HH", TYPES["TXT"], 1))
        time.sleep(0.03)
        yield from self.mode_plain(ask, entry, transport)

    def mode_poison(self, ask, entry, transport):
        extra = record("bank.test", "A", 86400, rdata("A", LIAR))
        return [message(ask, self.records(ask, entry) + [extra], [extra], [extra])]

    def mode_loop(self, ask, entry, transport):
        at = 12 + len(ask.question)
        return [message(ask, [struct.pack("!H", 0xc000 | at) + struct.pack("!HHIH", 1, 1, 60, 4) + rdata("A", LIAR)])]

    def mode_short(self, ask, entry, transport):
        return [message(ask, [ask.name_bytes + struct.pack("!HHIH", ask.type, 1, 60, 400) + b"\x5d\xb8"])]

    def mode_garbage(self, ask, entry, transport):
        noise = random.Random(ask.ident)
        return [struct.pack("!H", ask.ident) + b"\x81\x80" + bytes(noise.randrange(256) for _ in range(120))]

    def mode_circle(self, ask, entry, transport):
        return [message(ask, [record(ask.name_bytes, "CNAME", 60, ask.name_bytes)])]

    def mode_question(self, ask, entry, transport):
        return [message(ask, [record(ask.name_bytes, "A", 60, rdata("A", LIAR))], question=b"")]

    def mode_huge(self, ask, entry, transport):
        return [message(ask, [record(ask.name_bytes, "A", 60, rdata("A", LIAR))], count=65535)]


def sockets(address, port=0):
    """A UDP and a TCP socket on the same port. -> (udp, tcp, port)"""
    for _ in range(20):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        udp, tcp = socket.socket(family, socket.SOCK_DGRAM), socket.socket(family, socket.SOCK_STREAM)
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tcp.bind((address, port))
            udp.bind((address, tcp.getsockname()[1]))
            return udp, tcp, tcp.getsockname()[1]
        except OSError:
            udp.close()
            tcp.close()
            if port:
                raise
    raise OSError("no port is free for both UDP and TCP")
