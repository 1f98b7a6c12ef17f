"""The resolver of a sandbox in mode bridge: what programs get when name servers are slow, wrong, hostile or silent.

The name server is net/dns.py, whose zone each test says; the clients are the C library's, Node's c-ares and a client
that speaks the protocol itself, at the address that /etc/resolv.conf inside names.
"""
import json

import pytest
from helpers import is_root, need_language, skip
from net import PUBLIC, PUBLIC6, PUBLIC_2
from net.dns import LIAR

# getaddrinfo for each name, with how long it took; names in the order given
LOOK = """
import json, socket, sys, time
out = {}
for name in NAMES:
    t = time.time()
    try: found = sorted({a[4][0] for a in socket.getaddrinfo(name, 80, type=socket.SOCK_STREAM)})
    except socket.gaierror as e: found = {socket.EAI_NONAME: 'no such name', socket.EAI_NODATA: 'no address', socket.EAI_AGAIN: 'try again', socket.EAI_FAIL: 'failed'}.get(e.errno, e.errno)
    out[name] = (found, time.time() - t)
print(json.dumps(out))
"""

# a client of the protocol: ask(name, type) -> (rcode, flags, [(type, ttl, data)...]); the transport as one likes
SPEAK = """
import os, socket, struct, sys
def pack(name): return b''.join(bytes([len(l)]) + l.encode() for l in name.split('.')) + b'\\0'
def skip(d, at):
    while d[at]:
        if d[at] >= 0xc0: return at + 2
        at += d[at] + 1
    return at + 1
def parse(d):
    ident, flags, q, a, n, x = struct.unpack('!6H', d[:12])
    at, out = 12, []
    for _ in range(q): at = skip(d, at) + 4
    for _ in range(a):
        at = skip(d, at); t, c, ttl, size = struct.unpack('!HHIH', d[at:at + 10]); at += 10
        data = d[at:at + size]; at += size
        out.append((t, socket.inet_ntop(socket.AF_INET if t == 1 else socket.AF_INET6, data) if t in (1, 28) else size))
    return flags & 15, bool(flags & 0x200), out
def question(name, t=1, cls=1, ident=4242): return struct.pack('!6H', ident, 0x100, 1, 0, 0, 0) + pack(name) + struct.pack('!HH', t, cls)
def udp(data):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(10); s.connect(('127.0.0.53', 53))
    for _ in range(3):  # as clients do: datagrams may get lost
        s.send(data)
        try: return s.recv(65535)
        except socket.timeout: pass
def tcp(*many):
    s = socket.create_connection(('127.0.0.53', 53), 20)
    for data in many: s.sendall(struct.pack('!H', len(data)) + data)
    f = s.makefile('rb'); return [f.read(struct.unpack('!H', f.read(2))[0]) for _ in many]
"""


def look(online, *names, **changes):
    """-> {name: addresses, or what the C library says}"""
    found = json.loads(online.run("python", "NAMES = %r\n%s" % (names, LOOK), **changes))
    return {name: answer for name, (answer, _) in found.items()}


def speak(online, code, **changes):
    return online.run("python", SPEAK + code, **changes)


def asked(online):
    return {line["name"].lower() for line in online.world.log("dns") if "name" in line}


def test_ordinary_names(online):
    both = sorted([PUBLIC, PUBLIC6])
    found = look(online, "good.test", "www.good.test", "four.good.test", "six.good.test", "WWW.Good.Test", "good.test.",
                 "localhost", "nowhere.test")
    assert "127.0.0.1" in found.pop("localhost") and "localhost" not in asked(online)
    assert found == {"good.test": both, "www.good.test": both, "four.good.test": [PUBLIC], "six.good.test": [PUBLIC6],
                     "WWW.Good.Test": both, "good.test.": both,
                     "nowhere.test": "no such name"}


def test_every_way_to_ask_the_c_library(online):
    out = online.run("python", """
import socket
print(socket.gethostbyname('good.test'), socket.gethostbyname_ex('www.good.test')[2])
for family in socket.AF_INET, socket.AF_INET6, socket.AF_UNSPEC:
    for flags in 0, socket.AI_ADDRCONFIG, socket.AI_CANONNAME, socket.AI_V4MAPPED | socket.AI_ALL:
        try: print(sorted({a[4][0] for a in socket.getaddrinfo('good.test', 80, family, socket.SOCK_STREAM, 0, flags)}))
        except socket.gaierror as e: print(e)
print(socket.getfqdn('localhost'))
try: print(socket.gethostbyaddr('%s'))
except OSError as e: print(type(e).__name__)
""" % PUBLIC)
    four, six, both = repr([PUBLIC]), repr([PUBLIC6]), repr(sorted([PUBLIC, PUBLIC6]))
    assert out.splitlines()[0] == "%s ['%s']" % (PUBLIC, PUBLIC)
    assert out.splitlines()[1:5] == [four] * 4
    assert out.splitlines()[5:8] == [six] * 3 and PUBLIC6 in out.splitlines()[8]
    assert out.splitlines()[9:13] == [both] * 4
    assert out.splitlines()[13:] == ["localhost", "herror"]


def test_what_resolv_conf_says(online):
    out = online.run("bash", "grep ^nameserver /etc/resolv.conf; stat -c %A /etc/resolv.conf; (echo nameserver 8.8.8.8 "
                             "> /etc/resolv.conf) 2>/dev/null || echo kept")
    assert out.splitlines() == ["nameserver 127.0.0.53", "-r--r--r--", "kept"]
    out = online.run("bash", "cat /etc/resolv.conf 2>/dev/null | grep -c 127.0.0.53; true", network__dns="disabled")
    assert out.strip() in ("", "0")


def test_only_allowed_names_are_asked_for(online):
    """A name that no rule allows does not leave the sandbox: it might carry data in itself."""
    found = look(online, "good.test", "secret.wild.test", "far.test", "c2VjcmV0.evil.test",
                 network__allow=["good.test", "*.wild.test"])
    assert found["good.test"] == sorted([PUBLIC, PUBLIC6])
    assert found["far.test"] == found["c2VjcmV0.evil.test"] == "no such name"
    assert asked(online) == {"good.test", "secret.wild.test"}


def test_answers_that_are_too_long_for_a_datagram(online):
    many = ["93.184.%d.%d" % (i // 200, i % 200 + 1) for i in range(150)]
    online.world.zone({"many.test": {"A": many}, "cut.test": {"mode": "truncate", "A": many[:100]}})
    found = look(online, "many.test", "cut.test")
    assert found["many.test"] and set(found["many.test"]) <= set(many) and len(found["many.test"]) >= 60
    assert found["cut.test"] and set(found["cut.test"]) <= set(many[:100])


def test_a_slow_server_and_many_questions_at_once(online):
    """Ten names, none of which is answered before all were asked for, and another after them: one that waits holds up
    no other."""
    names = ["slow%d.test" % i for i in range(10)]
    online.world.zone({name: {"A": [PUBLIC], "after": [*names, "far.test"]} for name in names})
    out = json.loads(online.run("python", """
import json, socket, time
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(11) as pool:
    slow = [pool.submit(socket.gethostbyname, 'slow%d.test' % i) for i in range(10)]
    time.sleep(0.1); socket.gethostbyname('far.test')
    print(json.dumps([f.result() for f in slow]))
"""))
    assert out == [PUBLIC] * 10, out


def test_lies_are_not_believed(online):
    """Answers with another id or another question, and addresses for names that nobody asked for."""
    online.world.zone({"spoof.test": {"mode": "spoof", "A": [PUBLIC_2]},
                       "poison.test": {"mode": "poison", "A": [PUBLIC_2]}, "bank.test": {"A": [PUBLIC]}})
    assert look(online, "spoof.test", "poison.test", "bank.test") == {"spoof.test": [PUBLIC_2],
                                                                      "poison.test": [PUBLIC_2], "bank.test": [PUBLIC]}


def test_addresses_in_lies_open_nothing(online):
    online.world.zone({"poison.test": {"mode": "poison", "A": [PUBLIC_2]},
                       "spoof.test": {"mode": "spoof", "A": [PUBLIC_2]}})
    out = online.run("python", """
import socket
for name in 'poison.test', 'spoof.test': print(socket.create_connection((name, 13), 30).getpeername()[0])
try: socket.create_connection(('%s', 13), 30); print('went through')
except PermissionError: print('refused')
""" % LIAR, network__allow=["poison.test", "spoof.test", "bank.test"])
    assert out.splitlines() == [PUBLIC_2, PUBLIC_2, "refused"]


BAD = ("loop", "short", "garbage", "circle", "question", "huge", "servfail", "refused", "silent")


def test_bad_answers_are_errors_in_time_and_the_next_name_is_fine(online):
    online.world.zone({mode + ".test": {"mode": mode, "A": [PUBLIC_2]} for mode in BAD})
    out = json.loads(online.run("python", """
import json, socket, time
from concurrent.futures import ThreadPoolExecutor
def one(name):
    t = time.time()
    try: found = socket.gethostbyname(name)
    except OSError as e: found = 'failed'
    return found, time.time() - t
with ThreadPoolExecutor(16) as pool: found = dict(zip(NAMES, pool.map(one, NAMES)))
print(json.dumps({**found, 'far.test': one('far.test')}))
""".replace("NAMES", repr([mode + ".test" for mode in BAD]))))
    assert out.pop("far.test")[0] == PUBLIC_2
    assert {answer for answer, _ in out.values()} == {"failed"}, out
    assert max(seconds for _, seconds in out.values()) < 60, out
    assert out["servfail.test"][1] < out["silent.test"][1], "a server that says no is not waited for: %r" % out


def test_another_name_server_is_asked_when_one_is_silent(online):
    online.box.user_config({"sandbox": {"resolvers": ["127.0.0.1:3", "[::1]:53", online.world.resolver]}})
    assert look(online, "far.test")["far.test"] == [PUBLIC_2]


def test_the_hosts_own_servers_are_asked_where_none_are_said(online):
    if not is_root():
        skip("a resolv.conf of the test's own, in a mount namespace, needs root")
    conf = online.box.file("resolv.conf", "# the host's\nsearch wild.test\nnameserver 127.0.0.1\noptions timeout:1\n")
    online.box.user_config({})
    online.box.prefix = [*online.box.prefix, "unshare", "--mount", "sh", "-c",
                         'mount --bind "$0" /etc/resolv.conf && exec "$@"', str(conf)]
    assert look(online, "far.test")["far.test"] == [PUBLIC_2]


def test_a_client_of_the_protocol(online):
    out = speak(online, """
print(parse(udp(question('good.test'))))
print(parse(udp(question('good.test', 28))))
print(parse(udp(question('nowhere.test')))[0])
print([parse(d) for d in tcp(question('far.test'), question('four.good.test'))])
d = udp(question('GoOd.TeSt', ident=7)); print(struct.unpack('!H', d[:2])[0], d[12:12 + 11] == pack('GoOd.TeSt'))
print(parse(udp(question('good.test', 255)))[0] in (0, 4, 5), parse(udp(question('good.test', 1, 3)))[0] != 0)
""")
    assert out.splitlines() == ["(0, False, [(1, '%s')])" % PUBLIC, "(0, False, [(28, '%s')])" % PUBLIC6, "3",
                                "[(0, False, [(1, '%s')]), (0, False, [(1, '%s')])]" % (PUBLIC_2, PUBLIC),
                                "7 True", "True True"]


def test_questions_that_are_none(online):
    """Noise, cut and hostile questions, over both transports: nobody dies, and the next one is answered."""
    out = speak(online, """
import random
r = random.Random(4)
good = question('good.test')
bad = [b'', b'x', good[:11], good[:-1], good[:5] + b'\\x09' + good[6:], good[:12] + b'\\xc0\\x0c' + good[-4:], good[:12] + b'\\x3f' + good[13:], good[:2] + b'\\x81\\x80' + good[4:],
       question('a' * 63 + '.' + 'b' * 63 + '.' + 'c' * 63 + '.' + 'd' * 63 + '.test'), question('x..y') if False else good[:12] + b'\\0' + good[-4:], good + b'tail' * 300]
bad += [bytes(r.randrange(256) for _ in range(r.randrange(600))) for _ in range(200)]
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for b in bad: s.sendto(b, ('127.0.0.53', 53))
for b in bad[:40]:
    try:
        t = socket.create_connection(('127.0.0.53', 53), 20); t.sendall(struct.pack('!H', len(b)) + b); t.close()
    except OSError: pass
hold = [socket.create_connection(('127.0.0.53', 53), 20) for _ in range(5)]
for h in hold: h.sendall(b'\\0')
print(parse(udp(good))[2], parse(tcp(good)[0])[2])
""")
    assert out == "[(1, '%s')] [(1, '%s')]\n" % (PUBLIC, PUBLIC)


def test_hundreds_of_questions(online):
    online.world.zone({"*.wild.test": {"A": [PUBLIC]}})
    out = speak(online, """
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(30); s.connect(('127.0.0.53', 53)); n = 0
for i in range(0, 600, 20):
    for k in range(20): s.send(question('n' + str(i + k) + '.wild.test', ident=i + k))
    for k in range(20): n += parse(s.recv(999))[2] == [(1, '%s')]
print(n)
""" % PUBLIC)
    assert out == "600\n"


def test_other_name_servers_are_no_way_out(online):
    """Whichever name server a program asks, the sandbox's resolver answers, by the same rules."""
    out = speak(online, """
for where in '%s', '8.8.8.8', '10.1.2.3':
    for name in 'good.test', 'far.test':
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(20)
        try: s.sendto(question(name), (where, 53)); print(where, name, parse(s.recv(999)))
        except OSError as e: print(where, name, type(e).__name__)
try: socket.create_connection(('%s', 53), 2); print('went through')
except PermissionError: print('refused')
""" % (PUBLIC_2, PUBLIC_2), network__allow=["good.test"])
    lines = out.splitlines()
    assert len(lines) == 7 and lines[-1] == "refused"
    for line in lines[:-1]:
        assert ("(0, False, [(1, '%s')])" % PUBLIC in line) if "good" in line else "(1, " not in line, line
    assert asked(online) == {"good.test"}


def test_node_asks_by_itself(online):
    need_language("node")
    online.world.zone({"chain.test": {"CNAME": "www.good.test"}, "silent.test": {"mode": "silent"},
                       "text.test": {"TXT": ["hello"]}})
    out = online.run("node", """
const dns = require('dns').promises;
const how = p => p.then(x => JSON.stringify(x), e => e.code);
(async () => {
  console.log(await how(dns.resolve4('chain.test')), await how(dns.resolve6('chain.test')), await how(dns.resolve4('nowhere.test')), await how(dns.resolve6('four.good.test')));
  const r = new dns.Resolver({timeout: 300, tries: 1});
  console.log(await how(r.resolve4('silent.test')), r.getServers());
  console.log((await Promise.all([...Array(100).keys()].map(i => dns.resolve4('good.test')))).length);
})();
""")
    assert out.splitlines() == ['["%s"] ["%s"] ENOTFOUND ENODATA' % (PUBLIC, PUBLIC6), "ETIMEOUT [ '127.0.0.53' ]",
                                "100"]


@pytest.mark.parametrize("port", [53])
def test_the_resolvers_port_is_taken_inside(online, port):
    """A program cannot put itself in the place of the resolver."""
    out = online.run("python", """
import errno, socket
for kind in socket.SOCK_DGRAM, socket.SOCK_STREAM:
    try: socket.socket(socket.AF_INET, kind).bind(('127.0.0.53', %d)); print('bound')
    except OSError as e: print(errno.errorcode[e.errno])
socket.gethostbyname('good.test')
for kind in socket.SOCK_DGRAM, socket.SOCK_STREAM:
    try: socket.socket(socket.AF_INET, kind).bind(('127.0.0.53', %d)); print('bound')
    except OSError as e: print(errno.errorcode[e.errno])
""" % (port, port))
    assert "bound" not in out.splitlines()[2:], out
