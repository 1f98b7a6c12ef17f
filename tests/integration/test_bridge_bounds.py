"""What a program with brokered sockets may take from the host, and what it is told when it may not: buffers, closed
connections that nobody reads, the host's own addresses, datagrams by every call that sends them, and refusals that a
poll sees.
"""
import json

from helpers import is_root, poll
from net import PUBLIC, PUBLIC_2, PUBLIC6
from net.world import HOST, HOST6
from test_bridge import WATCHED, reached

BUFFER_MAX = 2 * 212992  # src/broker/options.h, doubled by the kernel


# ---- the host's own addresses ----

def test_the_hosts_own_addresses_are_its_loopback(online):
    """Public by every list, and served on the host: only a rule for exactly this address opens it."""
    own = [HOST + ":13", "[%s]:13" % HOST6, "udp/%s:7" % HOST, "connected/%s:7" % HOST, "[::ffff:%s]:13" % HOST]
    online.world.zone({"own.test": {"A": [HOST]}})
    assert reached(online, PUBLIC + ":13", *own, "own.test:13") == {PUBLIC + ":13"}
    assert reached(online, *own, network__allow=["62.75.0.0/16", "%s/127" % HOST6.replace("7", "6"), "*"]) == set()
    assert len(online.world.log("greeter")) == 1
    opened = online.result("python", "import socket\nprint(socket.create_connection((%r, 13), 30).recv(3))\n" % HOST,
                           network__allow=["%s/32:13" % HOST])
    assert opened["stdout"] == "b'you'\n", opened


def test_the_rule_that_refuses_the_hosts_address_is_told(online):
    result = online.result("python",
                           "import socket\ntry: socket.create_connection((%r, 13), 30)\n"
                           "except OSError as e: print(e.errno)\n" % HOST, **WATCHED)
    assert "the host's own address %s" % HOST in json.dumps(result["activity"]), result["activity"]


def test_an_address_that_the_host_is_given_during_the_run(online):
    """It was somebody else's, where nobody answers; a moment later it is the host's, whose server listens
    everywhere."""
    live = online.live("python", """
import errno, socket, time
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.connect(('62.75.31.9', 7))
print('ready', flush=True)
until, how = time.time() + 40, None
while how != 'EACCES' and time.time() < until:
    try: how = socket.create_connection(('62.75.31.9', 13), 0.5).recv(3)
    except OSError as e: how = errno.errorcode.get(e.errno)
    if isinstance(how, bytes): break
u.settimeout(1)
try: u.send(b'x'); late = u.recv(9)
except OSError as e: late = errno.errorcode.get(e.errno)
print(how, late)
""")
    online.world.do("host address", address="62.75.31.9/32")
    done = live.finish()
    assert done.text.splitlines()[-1].startswith("EACCES ") and "b'x'" not in done.text, done


# ---- refused connects ----

SCAN = """
import errno, select, socket
first, count = %d, %d
waiting, said = {}, set()
for port in range(first, first + count):
    s = socket.socket(); s.setblocking(False)
    said.add(s.connect_ex((%r, port))); waiting[s.fileno()] = (s, port)
p = select.epoll(); [p.register(n, select.EPOLLOUT) for n in waiting]
open_ports, closed = [], 0
while waiting:
    for n, events in p.poll(20) or [(n, 0) for n in list(waiting)]:
        s, port = waiting.pop(n); error = s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) if events else 'silent'
        closed += bool(error)
        if not error: open_ports.append(port)
        p.unregister(n); s.close()
print(open_ports, closed, sorted(errno.errorcode[e] for e in said))
"""


def test_a_scanner_that_looks_only_at_the_socket_counts_what_is_open(online):
    """Refused by the network, by the limits and by the rules: writable, and with an error."""
    out = online.run("python", SCAN % (5, 20, PUBLIC))
    assert out == "[7, 11, 13, 19] 16 ['EINPROGRESS']\n" or out == "[7, 13, 19] 17 ['EINPROGRESS']\n", out  # 11 resets
    out = online.run("python", SCAN % (7, 200, PUBLIC), network__max_connections_per_second=10)
    assert out.startswith("[7, ") and " 19" in out + " 19" and out.endswith("'ENOBUFS']\n"), out
    found = json.loads(out.partition("]")[0] + "]")
    assert set(found) <= {7, 11, 13, 19, 80, 443}, out
    assert online.run("python", SCAN % (7, 50, "10.1.2.3")) == "[] 50 ['EACCES']\n"


# ---- datagrams ----

DATAGRAMS = """
import ctypes, errno, json, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
class Msg(ctypes.Structure):
    _fields_ = [('name', ctypes.c_void_p), ('namelen', ctypes.c_uint32), ('iov', ctypes.c_void_p), ('iovlen', ctypes.c_size_t), ('control', ctypes.c_void_p),
                ('controllen', ctypes.c_size_t), ('flags', ctypes.c_int)]
class MMsg(ctypes.Structure): _fields_ = [('hdr', Msg), ('len', ctypes.c_uint32)]
class Iov(ctypes.Structure): _fields_ = [('base', ctypes.c_void_p), ('len', ctypes.c_size_t)]
kept = []
def message(to):
    host, port = to
    name = struct.pack('=HH4s8x', socket.AF_INET, socket.htons(port), socket.inet_aton(host)) if ':' not in host else \\
        struct.pack('=HHI16sI', socket.AF_INET6, socket.htons(port), 0, socket.inet_pton(socket.AF_INET6, host), 0)
    n, b = ctypes.create_string_buffer(name, len(name)), ctypes.create_string_buffer(b'x', 1)
    iov = Iov(ctypes.cast(b, ctypes.c_void_p), 1); kept.extend([n, b, iov])
    return Msg(ctypes.cast(n, ctypes.c_void_p), len(name), ctypes.cast(ctypes.pointer(iov), ctypes.c_void_p), 1, None, 0, 0)
def many(s, *to):
    all = (MMsg * len(to))(*[MMsg(message(t), 0) for t in to])
    r = libc.sendmmsg(s.fileno(), all, len(to), 0)
    return r if r >= 0 else errno.errorcode[ctypes.get_errno()]
def one(s, to):
    m = message(to); r = libc.sendmsg(s.fileno(), ctypes.byref(m), 0)
    return r if r >= 0 else errno.errorcode[ctypes.get_errno()]
def answers(s, n):
    s.settimeout(20); return sorted(s.recvfrom(10)[1][0] for _ in range(n))
u = lambda f=socket.AF_INET: socket.socket(f, socket.SOCK_DGRAM)
"""


def test_sendmmsg_and_sendmsg_are_mediated(online):
    out = online.run("python", DATAGRAMS + """
P, P2, P6, NO = %r, %r, %r, '10.1.2.3'
s = u(); print(many(s, (P, 7), (P2, 7), (P, 7)), answers(s, 3))
s = u(socket.AF_INET6); print(many(s, (P6, 7)), answers(s, 1))
s = u(); print(one(s, (P, 7)), answers(s, 1))
s = u(); print(many(s, (NO, 7)), one(s, (NO, 7)), many(s, (P, 7), (NO, 7), (P2, 7)), answers(s, 2))
a, b = socket.socketpair(); print(a.sendmsg([b'local']), b.recv(9))
q = b'\\x12\\x34\\x01\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x04good\\x04test\\x00\\x00\\x01\\x00\\x01'
s = u(); print(s.sendmsg([q], [], 0, ('8.8.8.8', 53)), s.recv(512)[:2])
""" % (PUBLIC, PUBLIC_2, PUBLIC6))
    assert out.splitlines() == ["3 %s" % sorted([PUBLIC, PUBLIC, PUBLIC_2]), "1 ['%s']" % PUBLIC6, "1 ['%s']" % PUBLIC,
                                "EACCES EACCES 3 %s" % sorted([PUBLIC, PUBLIC_2]), "5 b'local'",
                                "27 b'\\x124'"], out
    assert len(online.world.log("udp")) == 7


def test_datagrams_of_sendmmsg_are_told(online):
    result = online.result("python", DATAGRAMS + "s = u(); print(many(s, (%r, 7), ('10.1.2.3', 7)), answers(s, 1))\n"
                           % PUBLIC, **WATCHED)
    told = json.dumps(result["activity"])
    assert result["stdout"] == "2 ['%s']\n" % PUBLIC and PUBLIC in told and "10.1.2.3" in told, result


# ---- what stays with the host ----

def test_buffers_have_a_bound_whatever_is_asked_for(online):
    out = online.run("python", """
from socket import *
for s in create_connection((%r, 7), 30), socket(), socket(AF_INET, SOCK_DGRAM), socketpair()[0]:
    for option in SO_SNDBUF, SO_RCVBUF:
        s.setsockopt(SOL_SOCKET, option, 1 << 30); print(s.getsockopt(SOL_SOCKET, option) <= %d, end=' ')
        s.setsockopt(SOL_SOCKET, option, 50000); print(s.getsockopt(SOL_SOCKET, option), end=' ')
s = create_connection((%r, 7), 30); before = s.getsockopt(IPPROTO_TCP, 18)
for ms in 0, 1 << 30, 5000: s.setsockopt(IPPROTO_TCP, 18, ms); print(s.getsockopt(IPPROTO_TCP, 18), end=' ')
print(before)
s = socket(); s.setsockopt(SOL_SOCKET, SO_SNDBUF, 1 << 30); s.connect((%r, 7)); print(s.getsockopt(SOL_SOCKET, SO_SNDBUF) <= %d)
try: s.setsockopt(SOL_SOCKET, SO_SNDBUF, b'x')
except OSError as e: print(e.errno)
""" % (PUBLIC, BUFFER_MAX, PUBLIC, PUBLIC, BUFFER_MAX))
    assert out.split() == ["True", "100000"] * 8 + ["60000", "60000", "5000", "60000", "True", "22"], out


STUCK = """
import errno, socket, time
made, until, said = 0, time.time() + 30, None
while time.time() < until:
    s = socket.socket()
    try: s.connect((%r, 19))
    except OSError as e: said = errno.errorcode[e.errno]; break
    made += 1; s.setblocking(False)
    try:
        while True: s.send(bytes(1 << 16))
    except BlockingIOError: pass
    s.close()
print(made, said)
""" % PUBLIC


def test_connections_that_were_closed_full_count_and_are_ended_with_the_run(online):
    """A peer that takes nothing: what was written stays in the host's memory, beside every limit of the sandbox."""
    out = online.run("python", STUCK, network__max_connections=20, network__max_connections_per_second=1000)
    assert out == "20 ENOBUFS\n", out
    left = online.world.do("waiting")
    assert left["sockets"] <= 20 and left["bytes"] < 64 << 20, left
    if is_root():  # SOCK_DESTROY, after the answer; an ordinary user's are ended by TCP_USER_TIMEOUT
        assert not poll(lambda: online.world.do("waiting")["sockets"] > 0)
