"""What may be reached in mode bridge, and what is told of it: rules, addresses that are not public, limits, activity,
learning.

The world of net/ has servers on every address that these tests forbid, so whatever is not refused is answered; its log
says whether anything came through. Port 13 says who it is.
"""
import json
import subprocess

import pytest
import yaml
from net import PUBLIC, PUBLIC6, PUBLIC_2
from net.world import FORBIDDEN, FORBIDDEN6, HOST, HOST6

# Says for each target how a TCP connection to it went; «udp:» before it: a datagram.
TRY = """
import errno, json, socket, sys
def attempt(target):
    kind, _, where = target.rpartition('/')
    host, _, port = where.rpartition(':')
    host = host.strip('[]')
    try:
        family, _, _, _, address = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        return 'no name'
    s = socket.socket(family, socket.SOCK_DGRAM if kind else socket.SOCK_STREAM)
    s.settimeout(10)
    try:
        if kind == 'udp':
            s.sendto(b'x', address)
            return s.recv(100).decode()
        s.connect(address)
        if kind:
            s.send(b'x')
        return s.recv(100).decode()
    except socket.timeout:
        return 'timeout'
    except OSError as e:
        return errno.errorcode.get(e.errno, str(e.errno))
    finally:
        s.close()
print(json.dumps({t: attempt(t) for t in TARGETS}))
"""


def bracket(address):
    return "[%s]" % address if ":" in address else address


def program(targets):
    return "TARGETS = %r\n%s" % (list(targets), TRY)


def attempts(online, *targets, **changes):
    """-> how each went: an errno's name, «no name», «timeout», or what the server said"""
    return json.loads(online.run("python", program(targets), **changes))


def reached(online, *targets, **changes):
    """-> those that answered. Whatever is refused is refused in one way, and at once."""
    found = attempts(online, *targets, **changes)
    for target, how in found.items():
        assert how in ("EACCES", "no name", "x") or how.startswith("you are "), (target, how)
    return {t for t, how in found.items() if how == "x" or how.startswith("you are ")}


def outside(online, code):
    """The same in the same world, without a sandbox."""
    return subprocess.run([*online.world.prefix, "/usr/bin/python3", "-I", "-c", code], stdout=subprocess.PIPE,
                          check=True, text=True).stdout


def came(online):
    """-> the addresses at which servers saw somebody"""
    return {line["local"].rpartition(":")[0] if line["server"] == "greeter" else line["local"]
            for line in online.world.log("greeter", "http", "https")}


# ---- addresses ----

# more of the forbidden kind, which the world cannot have as addresses of its own
OTHERS = ["224.0.0.1", "239.255.255.250", "255.255.255.255", "[ff02::1]", "[ff0e::1]", "[::ffff:10.1.2.3]",
          "[::ffff:169.254.169.254]", "[::ffff:192.168.1.1]", "[::10.1.2.3]",
          "[64:ff9b::10.1.2.3]", "[2002:0a01:0203::1]", "[2001:0:4136:e378:8000:63bf:f5fe:fdfc]", "[fe80::2]",
          "[fec0::7]", "[fd00::1]"]


def targets_of(world):
    return [bracket(a) for a in FORBIDDEN + FORBIDDEN6 if a in world.addresses and not a.startswith("fe80")]


def test_the_servers_are_there(online):
    """Without a sandbox all of it answers: otherwise what follows would prove nothing."""
    targets = [t + ":13" for t in targets_of(online.world) + [PUBLIC, bracket(PUBLIC6)] if not t.startswith("240.")]
    found = json.loads(outside(online, program(targets)))
    assert all(how.startswith("you are ") for how in found.values()), found
    assert len(targets) > 15


def test_public_addresses_are_reached_and_no_others(online):
    forbidden = targets_of(online.world) + OTHERS
    public = [PUBLIC + ":13", bracket(PUBLIC6) + ":13", PUBLIC_2 + ":13", "[::ffff:%s]:13" % PUBLIC, "good.test:13"]
    assert reached(online, *public, *(t + ":13" for t in forbidden)) == set(public)
    assert came(online) == {PUBLIC, PUBLIC6, PUBLIC_2}


def test_datagrams_reach_public_addresses_and_no_others(online):
    forbidden = [t for t in targets_of(online.world) + OTHERS]
    public = ["udp/%s:7" % PUBLIC, "udp/[%s]:7" % PUBLIC6, "connected/%s:7" % PUBLIC_2]
    assert reached(online, *public,
                   *("%s/%s:7" % (how, t) for t in forbidden for how in ("udp", "connected"))) == set(public)
    assert len(online.world.log("udp")) == len(public)


def test_the_hosts_loopback_is_another(online):
    """127.0.0.1 is the sandbox's own, in all its forms, and the servers that listen there on the host stay alone."""
    out = attempts(online, *(t + ":13"
                             for t in ("127.0.0.1", "127.1.2.3", "[::1]", "localhost", "0.0.0.0", "[::]",
                                       "[::ffff:127.0.0.1]")), "connected/127.0.0.1:7", "connected/[::1]:7")
    assert set(out.values()) == {"ECONNREFUSED"}, out
    assert not online.world.log()


def test_a_server_inside_is_not_reached_from_the_host(online):
    live = online.live("python", "import socket, time\ns = socket.create_server(('', 8123))\n"
                                 "u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(('', 8123))\n"
                                 "print('ready', flush=True)\ntime.sleep(60)\n")
    out = json.loads(outside(online,
                             program(["%s:8123" % a for a in ("127.0.0.1", PUBLIC)] + ["connected/127.0.0.1:8123"])))
    assert set(out.values()) == {"ECONNREFUSED"}
    live.process.terminate()
    live.finish()


def test_other_spellings_of_a_metadata_address(online):
    """Decimal, octal, hexadecimal and short forms are read by the client; what counts is the address that they mean."""
    forms = ["2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "169.16689662", "0xa9.254.0251.254",
             "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:169.254.169.254]",
             "169.254.169.254.", "[fd00:ec2::254]", "[fd00:0ec2:0::0254]", "167838211", "012.1.2.3", "10.66051"]
    out = online.run("bash", "for h in %s; do curl -gsS -m 3 -o /dev/null http://$h/latest/meta-data/ 2>/dev/null; "
                             "echo $?; done; curl -s http://%s/hello" % (" ".join("'%s'" % f for f in forms), PUBLIC))
    *codes, last = out.splitlines()
    assert last == "hello from " + PUBLIC
    assert set(codes) <= {"6", "7"} and len(codes) == len(forms), codes
    assert came(online) == {PUBLIC}


def test_a_redirect_leads_nowhere_else(online):
    """A public server that sends its client to a private one."""
    targets = ["http://169.254.169.254/latest/", "http://[fd00:ec2::254]/", "http://10.1.2.3/",
               "http://inner.good.test/", "http://localhost/hello", "http://2852039166/"]
    online.world.zone({"inner.good.test": {"A": ["10.1.2.3"]}})
    out = online.run("python", """
import urllib.request, urllib.error, urllib.parse
for t in %r:
    try: print(urllib.request.urlopen('http://good.test/redirect?' + urllib.parse.urlencode({'to': t}), timeout=5).read())
    except urllib.error.URLError as e: print(type(e.reason).__name__)
""" % targets)
    assert set(out.splitlines()) <= {"PermissionError", "gaierror",
                                     "ConnectionRefusedError"} and len(out.splitlines()) == len(targets), out
    assert came(online) <= {PUBLIC, PUBLIC6}


@pytest.mark.parametrize("address", ["10.1.2.3", "169.254.169.254", "127.0.0.1", "0.0.0.0", "224.0.0.1"])
def test_a_public_name_with_an_address_that_is_not(online, address):
    """As an answer, behind a CNAME, in company of a public one, and mapped into IPv6."""
    online.world.zone({"a.test": {"A": [address]}, "b.test": {"CNAME": "a.test"}, "c.test": {"A": [PUBLIC, address]},
                       "d.test": {"AAAA": ["::ffff:" + address]}})
    out = attempts(online, "a.test:13", "b.test:13", "d.test:13", "c.test:13")
    assert set(list(out.values())[:3]) == {"no name"}, out
    assert out["c.test:13"].startswith("you are ")
    assert came(online) == {PUBLIC}


def test_rebinding_gets_nowhere(online):
    """First a public address, then the machine's own: neither a name that is asked for again nor a connection that is
    made again."""
    online.world.zone({"rebind.test": {"mode": "rebind", "ttl": 0, "A": [[PUBLIC], ["127.0.0.1"]]},
                       "rebind2.test": {"mode": "rebind", "ttl": 0, "A": [[PUBLIC], ["10.1.2.3"]]}})
    out = online.run("python", """
import socket, time
for name in 'rebind.test', 'rebind2.test':
    for i in range(6):
        try: print(socket.create_connection((name, 13), 3).recv(100).split()[-1].decode())
        except socket.gaierror: print('no name')
        except OSError as e: print(type(e).__name__)
        time.sleep(0.05)
""")
    assert set(out.splitlines()) <= {PUBLIC + ":13", "no name"} and out.splitlines()[0] == PUBLIC + ":13", out
    assert came(online) == {PUBLIC}


# ---- rules ----

def test_a_rule_with_a_name_opens_what_the_name_gives(online):
    """By address only after the name was asked for, and for nothing else."""
    out = json.loads(online.run("python", program([]) + """
print(json.dumps([attempt(t) for t in ('%s:13', 'good.test:13', '%s:13', '%s:13', 'far.test:13')]))
""" % (PUBLIC, PUBLIC, PUBLIC_2), network__allow=["good.test"]).splitlines()[1])
    assert [how[:7] for how in out] == ["EACCES", "you are", "you are", "EACCES", "no name"], out
    assert came(online) <= {PUBLIC, PUBLIC6}


RULES = {
    "a name with a port": ({"allow": ["good.test:13"]}, ["good.test:13"], ["good.test:80", "far.test:13"]),
    "a wildcard": ({"allow": ["*.good.test"]}, ["four.good.test:13", "www.good.test:13"],
                   ["far.test:13", "notgood.test:13"]),
    "a name in capitals": ({"allow": ["GOOD.Test"]}, ["good.test:13", "Good.tesT:13"], []),
    # no name is allowed
    "a network": ({"allow": ["93.184.216.0/24"]}, [PUBLIC + ":13"],
                  [PUBLIC_2 + ":13", bracket(PUBLIC6) + ":13", "four.good.test:13"]),
    "a network and a name in it": ({"allow": ["93.184.216.0/24", "*.good.test"]},
                                   [PUBLIC + ":13", "four.good.test:13", "six.good.test:13"], [PUBLIC_2 + ":13"]),
    "a network of IPv6": ({"allow": ["2606:2800::/32"]}, [bracket(PUBLIC6) + ":13"],
                          ["[2a04:4e42::69]:13", PUBLIC + ":13"]),
    "one address and port": ({"allow": [PUBLIC + "/32:13"]}, [PUBLIC + ":13"], [PUBLIC + ":80", PUBLIC_2 + ":13"]),
    "one private address": ({"allow": ["10.1.2.3/32:13"]}, ["10.1.2.3:13", "[::ffff:10.1.2.3]:13"],
                            ["10.1.2.3:80", "172.16.5.5:13", "169.254.169.254:13"]),
    "a private network": ({"allow": ["192.168.0.0/16"]}, ["192.168.1.1:13"], ["10.1.2.3:13"]),
    "the metadata address, said exactly": ({"allow": ["169.254.169.254/32"]}, ["169.254.169.254:13"],
                                           ["169.254.1.1:13"]),
    "link-local addresses, metadata not": ({"allow": ["169.254.0.0/16"]}, ["169.254.1.1:13"], ["169.254.169.254:13"]),
    "everything is everything public": ({"allow": ["0.0.0.0/0", "::/0"]}, [PUBLIC + ":13", bracket(PUBLIC6) + ":13"],
                                        ["10.1.2.3:13", "169.254.169.254:13", "[fd00:ec2::254]:13"]),
    "a denied name": ({"deny": ["far.test"]}, ["good.test:13"], ["far.test:13"]),
    "a denied network": ({"deny": ["151.101.0.0/16"]}, [PUBLIC + ":13"],
                         [PUBLIC_2 + ":13", "far.test:13", "[::ffff:%s]:13" % PUBLIC_2]),
    "a denied part of what is allowed": ({"allow": ["*.good.test"], "deny": ["www.good.test"]}, ["four.good.test:13"],
                                         ["www.good.test:13"]),
    "a denied network of an allowed name": ({"allow": ["good.test"], "deny": ["93.184.216.0/24", "2606:2800::/32"]}, [],
                                            ["good.test:13"]),
    "a private address of an allowed name": ({"allow": ["inner.test"]}, [], ["inner.test:13"]),
    "and with a rule for the address": ({"allow": ["inner.test", "10.1.2.3/32"]}, ["inner.test:13", "10.1.2.3:13"], []),
    "ports": ({"ports": ["13", "8000-8100"]}, [PUBLIC + ":13"], [PUBLIC + ":80", PUBLIC + ":7"]),
    # opens none inbound; outbound is for allow and deny
    "no port, and all": ({"ports": []}, [PUBLIC + ":13", "good.test:13"], []),
    "no port, and allow": ({"ports": [], "allow": ["good.test"]}, ["good.test:13"], [PUBLIC_2 + ":13"]),
    "no port, and deny": ({"ports": [], "deny": [PUBLIC + "/32"]}, [PUBLIC_2 + ":13"], [PUBLIC + ":13"]),
    "names are off": ({"dns": "disabled"}, [PUBLIC + ":13"], ["good.test:13"]),
}


@pytest.mark.parametrize("name", RULES)
def test_rule(online, name):
    network, yes, no = RULES[name]
    online.world.zone({"inner.test": {"A": ["10.1.2.3"]}, "notgood.test": {"A": [PUBLIC]}})
    assert reached(online, *yes, *no, **{"network__" + k: v for k, v in network.items()}) == set(yes)


def test_datagrams_keep_the_same_rules(online):
    yes = ["udp/good.test:7", "connected/10.1.2.3:7"]
    no = ["udp/%s:7" % PUBLIC_2, "connected/%s:7" % PUBLIC_2, "udp/10.1.2.3:8", "connected/172.16.5.5:7"]
    assert reached(online, *yes, *no, network__allow=["good.test", "10.1.2.3/32:7"]) == set(yes)
    assert {line["peer"].rpartition(":")[0] for line in online.world.log("udp")} <= {HOST, HOST6, "127.0.0.1"}


def test_an_explicit_rule_opens_the_hosts_loopback(on_loopback):
    """On this machine as it is: what the rule names is the host's, at that port only; the rest of 127.0.0.1 stays the
    sandbox's."""
    world = on_loopback.world
    port, other, udp = world.ports["greeter"], world.ports["echo"], world.ports["udp"]
    targets = ["127.0.0.1:%d" % port, "127.0.0.1:%d" % other, "localhost:%d" % port, "hosted.test:%d" % port,
               "connected/127.0.0.1:%d" % udp]
    world.zone({"hosted.test": {"A": ["127.0.0.1"]}})
    assert set(attempts(on_loopback, *targets).values()) <= {"ECONNREFUSED", "no name", "timeout"}
    assert not world.log("greeter", "echo", "udp")
    out = attempts(on_loopback, *targets,
                   network__allow=["hosted.test", "127.0.0.1/32:%d" % port, "127.0.0.1/32:%d" % udp])
    assert [how[:7] for how in out.values()] == ["you are", "ECONNRE", "you are", "you are", "x"], out


def test_mode_none_reaches_nothing(online):
    out = attempts(online, PUBLIC + ":13", "udp/%s:7" % PUBLIC, "good.test:13", network__mode="none")
    assert not [how for how in out.values()
                if how not in ("ENETUNREACH", "EACCES", "EPERM", "EAFNOSUPPORT", "no name")], out
    assert not online.world.log()


def test_other_ways_to_connect(online):
    """Protocols beside TCP and UDP, and data within a SYN: not there, and what does without is told so."""
    out = online.run("python", """
import errno, socket
from socket import *
def how(f, *a):
    try: return f(*a) or 'done'
    except OSError as e: return errno.errorcode[e.errno]
fast, P = 0x20000000, %r
for kind, protocol in (SOCK_STREAM, 262), (SOCK_STREAM, 132), (SOCK_SEQPACKET, 132), (SOCK_DGRAM, 136), (6, 33), (SOCK_DGRAM, IPPROTO_ICMP), (SOCK_RAW, IPPROTO_ICMP), (SOCK_RAW, 255):
    print(how(socket, AF_INET, kind, protocol))
for family in AF_PACKET, 16, 29, 31, 38: print(how(socket, family, SOCK_DGRAM, 0))
s = socket(); print(how(s.sendto, b'x', fast, (P, 7)), how(s.sendmsg, [b'x'], [], fast, (P, 7)), how(s.setsockopt, IPPROTO_TCP, 30, 1), how(s.getpeername))
""" % PUBLIC)
    assert out.splitlines() == ["EPROTONOSUPPORT"] * 8 + ["EAFNOSUPPORT"] * 5 + ["ENOTSUP ENOTSUP EPERM ENOTCONN"], out
    assert online.run("bash", "curl -sS --tcp-fastopen http://four.good.test/hello") == "hello from %s\n" % PUBLIC
    assert len(online.world.log("http", "echo")) == 1


def test_an_address_without_a_route_is_not_waited_for(online):
    """Hosts without IPv6 are many: the host's errno is the program's, and clients take the other address."""
    online.world.zone({"dual.test": {"A": [PUBLIC], "AAAA": ["2001:4860:4860::8888"]}})
    out = online.run("python", """
import errno, socket, urllib.request
for how in (lambda: socket.create_connection(('2001:4860:4860::8888', 80), 30)), (lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).connect(('2001:4860:4860::8888', 80))):
    try: how()
    except OSError as e: print(errno.errorcode[e.errno])
print(socket.getaddrinfo('dual.test', 80, type=socket.SOCK_STREAM)[0][4][0], urllib.request.urlopen('http://dual.test/hello', timeout=30).read())
""")
    assert out.splitlines() == ["ENETUNREACH", "ENETUNREACH", "%s b'hello from %s\\n'" % (PUBLIC, PUBLIC)]


def test_sandboxes_at_the_same_time(online):
    """Each with its own broker, resolver and loopback: same ports, no other's servers."""
    code = online.box.code("""
import socket, sys, threading, urllib.request
s = socket.create_server(('', 8000)); s.settimeout(20)
def serve():
    while True: s.accept()[0].sendall(sys.argv[1].encode())
threading.Thread(target=serve, daemon=True).start()
for _ in range(10):
    assert len(urllib.request.urlopen('http://good.test/bytes/10000', timeout=20).read()) == 10000
    assert socket.create_connection(('127.0.0.1', 8000), 30).recv(9).decode() == sys.argv[1]
print('well')
""")
    lives = [online.box.start(*online.box.words("python", code, **online.words({}, [])), "--", str(i))
             for i in range(6)]
    for live in lives:
        done = live.finish()
        assert (done.code, done.text) == (0, "well\n"), done


def test_processes_are_still_counted_when_the_broker_answers(online):
    """Forks are the launcher's to judge (execution.max_processes), also after the notifications went to the broker."""
    out = online.run("python", """
import errno, socket, subprocess
print(socket.create_connection((%r, 13), 30).recv(3))
all = []
for _ in range(8):
    try: all.append(subprocess.Popen(['sleep', '0.3']))
    except OSError as e: print(errno.errorcode[e.errno])
for p in all: p.wait()
print(len(all), subprocess.run(['true']).returncode)
""" % PUBLIC, execution__max_processes=5, resources__pids=20)
    assert out.splitlines() == ["b'you'"] + ["EAGAIN"] * 4 + ["4 0"], out


def test_nothing_is_missing(online):
    r = online.result("python", "pass\n", security__require=["user_ns", "net_ns", "network"])
    assert not [m for m in r["isolation"]["missing"] if m.startswith("network")], r["isolation"]
    assert r["isolation"]["net"] == "bridge", r["isolation"]


# ---- limits ----

def test_connections_at_once_are_limited(online):
    out = online.run("python", """
import socket, errno
def connect():
    try: return socket.create_connection((%r, 7), 30)
    except OSError as e: return errno.errorcode[e.errno]
first = [connect() for _ in range(6)]
print([c if isinstance(c, str) else 'ok' for c in first])
import time
for c in first:
    if not isinstance(c, str): c.close()
until = time.time() + 30
while isinstance(connect(), str) and time.time() < until: time.sleep(0.05)
print(time.time() < until)
""" % PUBLIC, network__max_connections=4)
    first, later = out.splitlines()
    first = eval(first)
    assert first[:4] == ["ok"] * 4 and "ok" not in first[4:], first
    assert later == "True", "places become free again"
    assert len(online.world.told("echo", 5)) == 5


def test_connections_in_a_second_are_limited(online):
    out = online.run("python", """
import socket, time
t, n, bad = time.time(), 0, 0
while time.time() < t + 1.5 or not bad:
    try: socket.create_connection((%r, 13), 30).close(); n += 1
    except OSError: bad += 1; time.sleep(0.01)
print(n, bad, time.time() - t)
""" % PUBLIC, network__max_connections_per_second=3)  # few: so many are asked for in a second also of a busy machine
    n, bad, took = int(out.split()[0]), int(out.split()[1]), float(out.split()[2])
    assert 3 < n <= 3 * (int(took) + 2) and bad, out  # two or three seconds begin within one and a half
    assert len(online.world.told("greeter", n)) == n


def test_bytes_of_all_connections_are_limited(online):
    """Counted ten times a second, while connections live: so what comes slowly is stopped within the tenth part of a
    second."""
    r = online.result("python", """
import socket
total = 0
for _ in range(200):
    s = socket.create_connection((%r, 80), 30)
    s.sendall(b'GET /bytes/100000 HTTP/1.0\\r\\n\\r\\n')
    while True:
        d = s.recv(65536)
        if not d: break
        total += len(d)
    print(total, flush=True)
    import time; time.sleep(0.05)  # slow: who counts may be late on a busy machine
""" % PUBLIC, network__max_bytes="1m")
    assert r["reason"] == "killed", r
    # of 20 MB; how late on a busy machine is the machine's
    assert 1 << 20 <= int(r["stdout"].split()[-1]) + 100000 <= 8 << 20, r["stdout"].split()[-1]
    assert "network.max_bytes" in json.dumps(r["violations"]), r


def test_bytes_of_one_long_connection_are_limited(online):
    r = online.result("python", """
import socket
s = socket.create_connection((%r, 80), 30)
s.sendall(b'GET /trickle/100/50000 HTTP/1.0\\r\\n\\r\\n')
got = 0
while True:
    d = s.recv(65536)
    if not d: break
    got += len(d)
    print(got, flush=True)
""" % PUBLIC, network__max_bytes="1m")
    assert r["reason"] == "killed", r
    assert 900000 <= int(r["stdout"].split()[-1]) <= 4 << 20, r["stdout"].split()[-1]  # of 5 MB


# ---- what is told ----

WATCHED = {"logging__audit_syscalls": True}


def test_the_result_tells_of_connections_and_names(online):
    online.world.zone({"inner.test": {"A": ["10.1.2.3"]}})
    r = online.result("python", """
import socket
s = socket.create_connection(('four.good.test', 7), 30); s.sendall(b'x' * 1000); s.shutdown(1)
n = 0
while True:
    d = s.recv(4096)
    if not d: break
    n += len(d)
s.close()
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.settimeout(30); u.connect(('%s', 7)); u.send(b'datagram'); u.recv(9)
for a in '10.1.2.3', '169.254.169.254':
    try: socket.create_connection((a, 80), 30)
    except PermissionError: pass
try: socket.create_connection(('inner.test', 80), 30)
except socket.gaierror: pass
try: socket.create_connection(('%s', 1), 30)
except ConnectionRefusedError: pass
""" % (PUBLIC, PUBLIC_2), **WATCHED)
    assert r["reason"] == "completed", r
    seen = {(c["protocol"], c["address"], c["port"]): c for c in r["activity"]["connections"]}
    echo, datagram = seen["tcp", PUBLIC, 7], seen["udp", PUBLIC, 7]
    assert [echo[k] for k in ("name", "verdict", "bytes_out")] == ["four.good.test", "allowed", 1000], echo
    assert echo["bytes_in"] - len("x" * 1000 + "bye 1000\n") in (0, 1), "TCP counts the end as one: %r" % echo
    assert [datagram[k] for k in ("verdict", "bytes_out", "bytes_in")] == ["allowed", 8, 8], datagram
    for name in "bytes_in", "bytes_out":  # what the meter counts
        assert r[name] == sum(c[name] for c in seen.values()), (name, r[name], seen)
    for a in "10.1.2.3", "169.254.169.254":
        assert (seen["tcp", a, 80]["verdict"] == "refused" and seen["tcp", a, 80]["bytes_out"] == 0
                and a in seen["tcp", a, 80]["rule"]), seen
    assert seen["tcp", PUBLIC_2, 1]["verdict"] == "allowed" and seen["tcp", PUBLIC_2, 1]["bytes_in"] == 0
    assert {n["name"] for n in r["activity"]["names"]} == {"four.good.test", "inner.test"}


def test_the_result_is_silent_about_it_otherwise(online):
    r = online.result("python", "import socket\nsocket.create_connection((%r, 13), 30).recv(9)\n" % PUBLIC)
    assert not (r.get("activity") or {}).get("connections"), r


def test_learning_prints_what_a_program_needs(online):
    code = """
import socket, sys
def go(a, p):
    try: print(a, p, socket.create_connection((a, p), 30).recv(7))
    except OSError as e: print(a, p, type(e).__name__)
go('four.good.test', 13); go('%s', 13)
if sys.argv[1:]: go('www.good.test', 13); go('93.184.216.66', 13); go('four.good.test', 11)
""" % PUBLIC_2
    done = online.start("python", code, options=["--network-learn"])
    assert done.code == 0 and done.text.count("b'you are'") == 2, done
    learned = yaml.safe_load(done.words[done.words.index("network:"):] if "network:" in done.words
                             else done.words[done.words.index("allow:"):])
    allow = learned.get("network", learned)["allow"]
    assert any("four.good.test" in rule for rule in allow) and any(PUBLIC_2 in rule for rule in allow), allow
    again = online.start("python", code, network__allow=allow)
    assert again.code == 0 and again.out == done.out, "what was learned is enough"
    more = online.start("python", code, options=["--", "more"], network__allow=allow)
    assert [line.split()[2] for line in more.text.splitlines()[2:]] == [
        "gaierror", "PermissionError", "PermissionError"], "and it is no more than that: %r" % more
    assert not online.world.log("reset")
