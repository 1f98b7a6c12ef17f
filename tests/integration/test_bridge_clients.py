"""Programs that everybody uses, unmodified, at low risk as it is shipped: they reach public servers by name and by
address.

Servers are those of net/: each test compares what its client believes with what they saw.
"""
import base64
import hashlib
import io
import json
import os
import subprocess
import tarfile
import time

import pytest
from helpers import need_language, need_module, skip
from net import PUBLIC, PUBLIC_2, PUBLIC6
from net.servers import content

MB = 1 << 20


def digest(size):
    return hashlib.sha256(content(size)).hexdigest()


def need_program(path, package):
    if not os.access(path, os.X_OK):
        skip("%s is not installed (apt-get install %s)" % (path, package))


# ---- Python ----

def test_python_urllib(online):
    out = online.run("python", """
import hashlib, json, ssl, urllib.error, urllib.request as u
tls = ssl.create_default_context(cafile='/mnt/ca.pem')
print(u.urlopen('http://four.good.test/hello', timeout=60).read())
print(u.urlopen('https://four.good.test/hello', timeout=60, context=tls).read())
print(u.urlopen('http://[%s]/hello' % '""" + PUBLIC6 + """').read())
print(u.urlopen('http://four.good.test/redirect?to=https%3A//www.good.test/echo', timeout=60, context=tls).url)
print(json.load(u.urlopen('http://four.good.test/upload', data=bytes(3000000), timeout=60))['size'])
print(hashlib.sha256(u.urlopen('https://good.test/bytes/2000000', context=tls).read()).hexdigest())
print(u.urlopen('http://good.test/chunked/3').read(), u.urlopen('http://good.test/close').read())
try: u.urlopen('http://good.test/nothing')
except urllib.error.HTTPError as e: print(e.code)
try: u.urlopen('https://far.test/hello', context=tls)
except urllib.error.URLError as e: print(type(e.reason).__name__)
try: u.urlopen('http://nowhere.test/')
except urllib.error.URLError as e: print(type(e.reason).__name__)
""")
    four, six = "b'hello from %s\\n'" % PUBLIC, "b'hello from %s\\n'" % PUBLIC6
    assert out.splitlines() == [four, four, six, "https://www.good.test/echo", "3000000", digest(2000000),
                                r"b'part 0\npart 1\npart 2\n' b'until the end\n'", "404",
                                "SSLCertVerificationError", "gaierror"]
    assert [line["host"] for line in online.world.log("http")][0] == "four.good.test"


def test_python_requests_with_a_session_and_certificates(online):
    need_module("requests")
    out = online.run("python", """
import io, requests
s = requests.Session()
s.verify = '/mnt/ca.pem'
print(s.get('https://good.test/echo', timeout=60).json()['headers']['Host'], s.get('http://four.good.test/hello').text.strip())
print(s.post('https://good.test/upload', data=io.BytesIO(bytes(1 << 20)), timeout=60).json()['size'])
print(s.post('https://good.test/upload', data=(b'x' * 1000 for _ in range(50)), timeout=60).json()['size'])
print(s.get('http://good.test/redirect', params={'to': 'https://good.test/hello'}, timeout=60).status_code)
print(sum(len(c) for c in s.get('https://good.test/bytes/5000000', stream=True).iter_content(65536)))
try: s.get('http://good.test/slow/5', timeout=0.3)
except requests.exceptions.ReadTimeout: print('too slow')
try: s.get('http://full.test:9/', timeout=(0.3, 30))
except requests.exceptions.ConnectTimeout: print('no answer')
try: s.get('http://good.test:1/', timeout=30)
except requests.exceptions.ConnectionError as e: print('refused' in str(e))
""")
    assert out.splitlines() == ["good.test hello from %s" % PUBLIC, "1048576", "50000", "200", "5000000", "too slow",
                                "no answer", "True"]


def test_http_keep_alive_stays_one_connection(online):
    out = online.run("python", """
import http.client
c = http.client.HTTPConnection('good.test', timeout=60)
for i in range(20):
    c.request('POST' if i % 2 else 'GET', '/echo?%d' % i, body='x' * i if i % 2 else None)
    r = c.getresponse()
    body = r.read()
print('%s %d' % c.sock.getsockname()[:2])
""")
    seen = online.world.log("http")
    assert len(seen) == 20 and len({line["peer"] for line in seen}) == 1
    assert seen[0]["peer"].rpartition(":")[2] == out.split()[1], "the client knows its own port"


def test_asyncio_with_a_hundred_connections_at_once(online):
    out = online.run("python", """
import asyncio, socket
async def fetch(i):
    r, w = await asyncio.open_connection('good.test' if i % 2 else '""" + PUBLIC + """', 80)
    w.write(b'GET /bytes/%d HTTP/1.0\\r\\n\\r\\n' % (1000 + i))
    head, _, body = (await r.read()).partition(b'\\r\\n\\r\\n')
    w.close()
    await w.wait_closed()
    return len(body) == 1000 + i
class Datagram(asyncio.DatagramProtocol):
    def __init__(self, done): self.done = done
    def datagram_received(self, data, peer): self.done.set_result((data, peer))
async def main():
    print(sum(await asyncio.gather(*map(fetch, range(100)))))
    loop = asyncio.get_running_loop()
    print(sorted({a[4][0] for a in await loop.getaddrinfo('good.test', 80, type=socket.SOCK_STREAM)}))
    done = loop.create_future()
    t, _ = await loop.create_datagram_endpoint(lambda: Datagram(done), remote_addr=('""" + PUBLIC + """', 7))
    t.sendto(b'hello')
    print(await asyncio.wait_for(done, 30))
    try: await asyncio.wait_for(asyncio.open_connection('full.test', 9), 0.3)
    except asyncio.TimeoutError: print('no answer')
    try: await asyncio.open_connection('four.good.test', 1)
    except ConnectionRefusedError: print('refused')
asyncio.run(main())
""")
    assert out.splitlines() == ["100", repr(sorted([PUBLIC, PUBLIC6])), "(b'hello', ('%s', 7))" % PUBLIC, "no answer",
                                "refused"]


def test_threads_that_download_at_the_same_time(online):
    out = online.run("python", """
import hashlib, urllib.request
from concurrent.futures import ThreadPoolExecutor
def get(i): return hashlib.sha256(urllib.request.urlopen('http://good.test/bytes/%d' % (1000000 + i % 3), timeout=30).read()).hexdigest()
with ThreadPoolExecutor(16) as pool: print(*pool.map(get, range(32)))
""")
    assert out.split() == [digest(1000000 + i % 3) for i in range(32)]


def test_pip_installs_from_an_index(online):
    need_program("/usr/bin/pip", "python3-pip")
    wheel = io.BytesIO()
    import zipfile
    with zipfile.ZipFile(wheel, "w") as z:
        info = "ourthing-1.0.dist-info/"
        files = {"ourthing.py": "answer = 42\n",
                 info + "METADATA": "Metadata-Version: 2.1\nName: ourthing\nVersion: 1.0\n",
                 info + "WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
        for name, text in files.items():
            z.writestr(name, text)
        z.writestr(info + "RECORD", "".join("%s,,\n" % n for n in [*files, info + "RECORD"]))
    place = online.world.dir / "files/simple/ourthing"
    place.mkdir(parents=True, exist_ok=True)
    (place / "ourthing-1.0-py3-none-any.whl").write_bytes(wheel.getvalue())
    (place / "index.html").write_text('<!DOCTYPE html><html><body><a '
                                      'href="ourthing-1.0-py3-none-any.whl">'
                                      'ourthing-1.0-py3-none-any.whl</a></body></html>')
    out = online.run("bash", "python3 -m pip -q --disable-pip-version-check --no-cache-dir --cert /mnt/ca.pem install "
                             "--index-url https://good.test/files/simple --target lib ourthing 2>&1 "
                             "&& PYTHONPATH=lib python3 -c 'import ourthing; print(ourthing.answer)'")
    assert out.splitlines()[-1] == "42", out


# ---- Node ----

def test_node_fetch_http_https_and_dns(online):
    need_language("node")
    out = online.run("node", """
const http = require('http'), https = require('https'), dns = require('dns'), net = require('net'), fs = require('fs'), crypto = require('crypto');
const ca = fs.readFileSync('/mnt/ca.pem');
const get = (lib, url, options) => new Promise((yes, no) => lib.get(url, options, r => { let d = []; r.on('data', c => d.push(c)); r.on('end', () => yes(Buffer.concat(d))); }).on('error', no));
const code = p => p.then(() => 'went through', e => (e.cause || e).code || e.message);
(async () => {
  console.log((await (await fetch('http://four.good.test/hello')).text()).trim());
  console.log((await (await fetch('http://good.test/upload', {method: 'POST', body: Buffer.alloc(2000000)})).json()).size);
  console.log(crypto.createHash('sha256').update(Buffer.from(await (await fetch('http://good.test/bytes/2000000')).arrayBuffer())).digest('hex'));
  console.log((await fetch('http://good.test/redirect?to=http%3A//www.good.test/hello')).url);
  console.log((await get(https, 'https://four.good.test/hello', {ca})).toString().trim(), (await get(http, 'http://["""
  + PUBLIC6 + """]/hello', {})).toString().trim());
  const agent = new http.Agent({keepAlive: true, maxSockets: 1});
  for (let i = 0; i < 5; i++) await get(http, 'http://four.good.test/echo?kept', {agent});
  agent.destroy();
  console.log((await dns.promises.lookup('four.good.test')).address, (await dns.promises.lookup('six.good.test')).address);
  console.log(await dns.promises.resolve4('good.test'), await dns.promises.resolve6('good.test'));
  console.log(await code(dns.promises.resolve4('nowhere.test')), await code(dns.promises.lookup('nowhere.test')));
  console.log(await code(fetch('http://four.good.test:8081/')), await code(get(https, 'https://far.test/hello', {ca})));
  console.log((await Promise.all([...Array(50).keys()].map(i => fetch('http://four.good.test/bytes/' + i).then(r => r.arrayBuffer())))).every((b, i) => b.byteLength == i));
  const s = net.connect({host: 'four.good.test', port: 7, allowHalfOpen: true});
  let heard = ''; s.on('data', d => heard += d); s.end('half'); await new Promise(yes => s.on('end', yes)); s.destroy();
  console.log(heard.trim());
})().catch(e => { console.error(e); process.exit(1); });
""")
    assert out.splitlines() == ["hello from %s" % PUBLIC, "2000000", digest(2000000), "http://www.good.test/hello",
                                "hello from %s hello from %s" % (PUBLIC, PUBLIC6),
                                "%s %s" % (PUBLIC, PUBLIC6), "[ '%s' ] [ '%s' ]" % (PUBLIC, PUBLIC6),
                                "ENOTFOUND ENOTFOUND", "ECONNREFUSED ERR_TLS_CERT_ALTNAME_INVALID", "true",
                                "halfbye 4"]
    assert len({line["peer"] for line in online.world.log("http") if line["path"] == "/echo?kept"}) == 1


def test_node_datagrams(online):
    """By address, which libuv does with sendmsg(2) or sendmmsg(2), and connected."""
    need_language("node")
    out = online.run("node", """
const dgram = require('dgram');
const c = dgram.createSocket('udp4');
c.connect(7, '""" + PUBLIC + """', () => c.send('connected'));
c.on('message', m => {
  console.log(m.toString());
  c.close();
  const s = dgram.createSocket('udp4');
  s.on('message', (m, from) => { console.log(m.toString(), from.address, from.port); s.close(); clearTimeout(late); });
  s.send('by address', 7, '""" + PUBLIC_2 + """');
});
const late = setTimeout(() => process.exit(1), 30000);
""")
    assert out.splitlines() == ["connected", "by address %s 7" % PUBLIC_2]


def test_node_talks_to_itself_and_to_its_workers(online):
    need_language("node")
    out = online.run("node", """
const http = require('http'), cluster = require('cluster');
if (cluster.isPrimary) {
  const s = http.createServer((q, r) => r.end('own')).listen(0, async () => {
    for (const h of ['localhost', '127.0.0.1', '[::1]']) console.log(h, await (await fetch(`http://${h}:${s.address().port}/`)).text());
    s.close();
    const w = cluster.fork();
    w.on('message', async port => { console.log(await (await fetch(`http://127.0.0.1:${port}/`)).text()); w.kill(); });
  });
} else {
  const s = http.createServer((q, r) => r.end('from the worker')).listen(0, () => process.send(s.address().port));
}
""")
    assert out.splitlines() == ["localhost own", "127.0.0.1 own", "[::1] own", "from the worker"]


def test_npm_installs_from_a_registry(online):
    """Packages that need each other, with npm's own pool of connections."""
    need_program("/usr/bin/npm", "npm")
    place, names = online.world.dir / "files/npm", ["ours-%d" % i for i in range(12)]
    for i, name in enumerate(names):
        out = io.BytesIO()
        package = {"name": name, "version": "1.0.0", "main": "i.js",
                   "dependencies": {n: "^1.0.0" for n in names[i + 1:i + 4]}}
        with tarfile.open(fileobj=out, mode="w:gz") as t:
            for path, text in (("package/package.json", json.dumps(package)),
                               ("package/i.js", "module.exports = %d" % i)):
                info = tarfile.TarInfo(path)
                info.size = len(text)
                t.addfile(info, io.BytesIO(text.encode()))
        (place / name).mkdir(parents=True, exist_ok=True)
        (place / name / "p.tgz").write_bytes(out.getvalue())
        dist = {"tarball": "https://good.test/files/npm/%s/p.tgz" % name,
                "integrity": "sha512-" + base64.b64encode(hashlib.sha512(out.getvalue()).digest()).decode()}
        (place / name / "index.html").write_text(json.dumps({"name": name, "dist-tags": {"latest": "1.0.0"},
                                                             "versions": {"1.0.0": {**package, "dist": dist}}}))
    out = online.run("bash", "npm --cafile=/mnt/ca.pem --registry=https://good.test/files/npm/ --no-audit --no-fund "
                             "--no-update-notifier --loglevel=error install ours-0 >npm.log 2>&1 || cat npm.log\n"
                             "ls node_modules | wc -l; node -p 'require(\"ours-11\")'")
    assert out.splitlines() == ["12", "11"], out


# ---- tools ----

def test_curl(online):
    need_program("/usr/bin/curl", "curl")
    out = online.run("bash", """
set -e
c() { curl -sS --cacert /mnt/ca.pem -m 20 "$@"; }
c http://four.good.test/hello https://four.good.test/hello
c -4 http://good.test/hello
c -6 http://good.test/hello
c 'http://[%(six)s]/hello' 'https://[%(six)s]/hello' http://%(four)s/hello
c --resolve elsewhere.test:80:%(four)s http://elsewhere.test/hello
c -L -o /dev/null -w '%%{http_code} %%{num_redirects} %%{remote_ip}\\n' 'http://four.good.test/redirect?to=https://four.good.test/hello'
c http://good.test/bytes/16000000 | sha256sum
head -c 8000000 /dev/zero > zeros
c -T zeros https://good.test/upload; echo
c -F file=@/mnt/ca.pem http://good.test/upload | grep -c sha256
c -r 100-199 https://good.test/bytes/1000 | wc -c
c -Z -o a https://good.test/bytes/300000 -o b https://good.test/bytes/300001 -o c http://good.test/bytes/300002; stat -c %%s a b c
c http://good.test:1/ 2>&1 || echo $?
c --connect-timeout 0.3 http://full.test:9/ 2>&1 || echo $?
c http://nowhere.test/ 2>&1 || echo $?
c https://far.test/hello >/dev/null 2>&1 || echo $?
""" % {"four": PUBLIC, "six": PUBLIC6})
    hello, hello6 = "hello from " + PUBLIC, "hello from " + PUBLIC6
    lines = out.splitlines()
    assert lines[:10] == [hello, hello, hello, hello6, hello6, hello6, hello, hello, "200 1 " + PUBLIC,
                          digest(16000000) + "  -"]
    assert json.loads(lines[10]) == {"size": 8000000, "sha256": hashlib.sha256(bytes(8000000)).hexdigest()}
    assert lines[11:16] == ["1", "100", "300000", "300001", "300002"]
    assert [line for line in lines[16:] if line.isdigit()] == ["7", "28", "6", "60"], lines[16:]


def test_wget(online):
    need_program("/usr/bin/wget", "wget")
    out = online.run("bash", """
wget -q -O- --ca-certificate=/mnt/ca.pem https://four.good.test/hello
wget -q -O- 'http://four.good.test/redirect?to=http://www.good.test/hello' >/dev/null && echo redirected
wget -q -O x http://good.test/bytes/1000000 && sha256sum < x
head -c 500000 x > y; wget -q -c -O y http://good.test/bytes/1000000 && cmp x y && echo continued
""")
    assert out.splitlines() == ["hello from " + PUBLIC, "redirected", digest(1000000) + "  -", "continued"]


def make_repository(world):
    """A bare repository below /git, with a commit that says so."""
    bare, work = world.dir / "git/ours.git", world.dir / "work"
    if bare.exists():
        return
    env = {"PATH": "/usr/bin:/bin", "HOME": str(world.dir), "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
           "GIT_AUTHOR_EMAIL": "a@good.test", "GIT_COMMITTER_NAME": "a",
           "GIT_COMMITTER_EMAIL": "a@good.test"}
    git = lambda *words: subprocess.run(["git", "-c", "init.defaultBranch=main", *map(str, words)], env=env, check=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    git("init", work)
    (work / "hello.txt").write_text("hello from git\n")
    (work / "large.bin").write_bytes(os.urandom(3 * MB))
    git("-C", work, "add", ".")
    git("-C", work, "commit", "-m", "the first one")
    git("clone", "--bare", work, bare)
    git("-C", bare, "config", "http.receivepack", "true")


def test_git_over_https(online):
    need_program("/usr/bin/git", "git")
    make_repository(online.world)
    out = online.run("bash", """
set -e
export GIT_SSL_CAINFO=/mnt/ca.pem GIT_TERMINAL_PROMPT=0
git ls-remote https://good.test/git/ours.git HEAD | cut -f2
git clone -q https://good.test/git/ours.git
cat ours/hello.txt
stat -c %s ours/large.bin
cd ours
git -c user.name=b -c user.email=b@good.test commit -q --allow-empty -m 'from inside'
head -c 2000000 /dev/urandom > more.bin; git add more.bin; git -c user.name=b -c user.email=b@good.test commit -q -m 'much'
git push -q origin HEAD:refs/heads/inside 2>&1
git fetch -q origin inside && git log --format=%s -1 FETCH_HEAD
""", options=["--env", "GIT_CONFIG_NOSYSTEM=1"])
    assert out.splitlines() == ["HEAD", "hello from git", str(3 * MB), "much"]
    said = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(online.world.dir / "git/ours.git"), "log",
                           "--format=%s", "-2", "inside"], stdout=subprocess.PIPE, text=True, check=True)
    assert said.stdout.splitlines() == ["much", "from inside"], "the server has what was pushed"


def make_package(name, text):
    """A Debian package with one file. -> its bytes"""
    def tar(files):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as t:
            for path, data in files.items():
                info = tarfile.TarInfo(path)
                info.size, info.mtime = len(data), int(time.time())
                t.addfile(info, io.BytesIO(data))
        return out.getvalue()
    control = ("Package: %s\nVersion: 1.0\nArchitecture: all\nMaintainer: a test <a@good.test>\nDescription: nothing\n"
               % name)
    parts = {"debian-binary": b"2.0\n", "control.tar.gz": tar({"./control": control.encode()}),
             "data.tar.gz": tar({"./usr/share/%s/text" % name: text.encode()})}
    out = b"!<arch>\n"
    for part, data in parts.items():
        out += b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (part.encode(), 0, 0, 0, b"100644",
                                                    len(data)) + data + b"\n" * (len(data) % 2)
    return control, out


def make_archive(world):
    """An archive below /files/debian, flat."""
    place = world.dir / "files/debian"
    place.mkdir(parents=True, exist_ok=True)
    control, deb = make_package("ourtool", "hello from apt\n")
    (place / "ourtool_1.0_all.deb").write_bytes(deb)
    index = "%sFilename: ./ourtool_1.0_all.deb\nSize: %d\nSHA256: %s\n\n" % (control, len(deb),
                                                                             hashlib.sha256(deb).hexdigest())
    (place / "Packages").write_text(index)
    (place / "Release").write_text("Origin: a test\nSuite: ours\nDate: %s\nSHA256:\n %s %d Packages\n" % (
        time.strftime("%a, %d %b %Y %H:%M:%S UTC", time.gmtime()), hashlib.sha256(index.encode()).hexdigest(),
        len(index)))


def test_apt_updates_and_downloads(online):
    """apt-get itself, in directories of its own: its methods are processes of their own that talk HTTP/1.1 with
    pipelining."""
    need_program("/usr/bin/apt-get", "apt")
    make_archive(online.world)
    out = online.run("bash", """
set -e
mkdir -p /tmp/apt/etc/apt.conf.d /tmp/apt/etc/preferences.d /tmp/apt/state/lists/partial /tmp/apt/cache/archives/partial /tmp/apt/log; touch /tmp/apt/status
for scheme in http https; do
  echo "deb [trusted=yes] $scheme://good.test/files/debian ./" > /tmp/apt/etc/sources.list
  rm -rf /tmp/apt/state/lists/*; rm -f *.deb
  a="apt-get -qq -o Dir::Etc=/tmp/apt/etc -o Dir::State=/tmp/apt/state -o Dir::State::status=/tmp/apt/status -o Dir::Cache=/tmp/apt/cache -o Dir::Log=/tmp/apt/log
     -o APT::Sandbox::User= -o Acquire::https::CAInfo=/mnt/ca.pem -o Acquire::Retries=0 -o Acquire::Languages=none"
  $a update
  $a download ourtool
  dpkg-deb --fsys-tarfile ourtool_1.0_all.deb | tar -xO ./usr/share/ourtool/text
done
""", options=["--env", "APT_CONFIG=/dev/null"])
    assert out.splitlines()[-1:] == ["hello from apt"] and out.count("hello from apt\n") == 2, out


# ---- shells and other languages ----

def test_bash_dev_tcp_and_dev_udp(online):
    out = online.run("bash", """
exec 3<>/dev/tcp/four.good.test/80
printf 'GET /hello HTTP/1.0\\r\\n\\r\\n' >&3
tail -n 1 <&3
exec 3>&-
cat < /dev/tcp/""" + PUBLIC + """/13 | cut -d' ' -f6
exec 4<>/dev/udp/""" + PUBLIC + """/7
echo datagram >&4
head -n 1 <&4
(exec 5<>/dev/tcp/good.test/1) 2>/dev/null || echo refused
""")
    assert out.splitlines() == ["hello from " + PUBLIC, PUBLIC + ":13", "datagram", "refused"]


def test_perl(online):
    need_program("/usr/bin/perl", "perl")
    code = online.box.file("p.pl", """
use strict; use IO::Socket::INET; use IO::Socket::IP; use HTTP::Tiny;
my $s = IO::Socket::INET->new(PeerAddr => 'four.good.test', PeerPort => 7, Proto => 'tcp', Timeout => 30) or die "no: $@";
print $s "line\\n"; shutdown($s, 1); print while <$s>;
print IO::Socket::IP->new(PeerHost => 'six.good.test', PeerService => 7)->peerhost, "\\n";
print HTTP::Tiny->new(timeout => 30)->get('http://good.test/redirect?to=http://four.good.test/hello')->{content};
my $u = IO::Socket::INET->new(PeerAddr => 'four.good.test', PeerPort => 7, Proto => 'udp'); $u->send('u'); $u->recv(my $b, 9); print "$b\\n";
print IO::Socket::INET->new(PeerAddr => 'four.good.test', PeerPort => 1, Timeout => 30) ? 'went through' : $!{ECONNREFUSED} ? 'refused' : $!, "\\n";
print IO::Socket::INET->new(PeerAddr => 'full.test', PeerPort => 9, Timeout => 1) ? 'went through' : 'no answer', "\\n";
""")
    done = online.box.command("/usr/bin/perl", "/mnt/p.pl", level="low", options=["--volume", "%s:/mnt/p.pl:ro" % code])
    assert done.code == 0, done
    assert done.text.splitlines() == ["line", "bye 5", PUBLIC6, "hello from " + PUBLIC, "u", "refused", "no answer"]


GO = """package main
import ("crypto/sha256"; "crypto/tls"; "crypto/x509"; "fmt"; "io"; "net"; "net/http"; "os"; "os/exec"; "sort"; "sync"; "time"; "context"; "bytes")
func get(c *http.Client, url string) string {
	r, err := c.Get(url)
	if err != nil { return err.Error() }
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil { return err.Error() }
	if len(b) > 100 { return fmt.Sprintf("%x", sha256.Sum256(b)) }
	return string(bytes.TrimSpace(b))
}
func main() {
	if len(os.Args) == 1 {
		for _, mode := range []string{"go", "cgo"} {
			c := exec.Command("/proc/self/exe", mode)
			c.Env = append(os.Environ(), "GODEBUG=netdns=" + mode)
			c.Stdout, c.Stderr = os.Stdout, os.Stderr
			if err := c.Run(); err != nil { fmt.Println(err); os.Exit(1) }
		}
		return
	}
	pool := x509.NewCertPool()
	pem, _ := os.ReadFile("/mnt/ca.pem")
	pool.AppendCertsFromPEM(pem)
	c := &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	a, err := net.LookupHost("good.test")
	sort.Strings(a)
	fmt.Println(a, err)
	_, err = net.LookupHost("nowhere.test")
	d, ok := err.(*net.DNSError)
	fmt.Println(ok && d.IsNotFound)
	fmt.Println(get(c, "http://four.good.test/hello"), get(c, "https://www.good.test/bytes/1000000"), get(c, "http://[SIX]/hello"))
	var wg sync.WaitGroup
	var lock sync.Mutex
	good := 0
	for i := 0; i < 20; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); if get(c, "http://good.test/bytes/50") != "" { lock.Lock(); good++; lock.Unlock() } }()
	}
	wg.Wait()
	fmt.Println(good)
	ctx, cancel := context.WithTimeout(context.Background(), 300 * time.Millisecond)
	defer cancel()
	_, err = (&net.Dialer{}).DialContext(ctx, "tcp", "full.test:9")
	e, ok := err.(net.Error)
	fmt.Println(ok && e.Timeout())
	_, err = net.Dial("tcp", "four.good.test:1")
	fmt.Println(err)
	u, err := net.Dial("udp", "four.good.test:7")
	if err != nil { fmt.Println(err); return }
	u.Write([]byte("u"))
	b := make([]byte, 10)
	u.SetDeadline(time.Now().Add(30 * time.Second))
	n, err := u.Read(b)
	fmt.Println(string(b[:n]), err)
	p, _ := net.ListenPacket("udp4", ":0")
	to, _ := net.ResolveUDPAddr("udp4", "FOUR:7")
	p.WriteTo([]byte("to"), to)
	p.SetDeadline(time.Now().Add(30 * time.Second))
	n, from, err := p.ReadFrom(b)
	fmt.Println(string(b[:n]), from, err)
}
""".replace("SIX", PUBLIC6).replace("FOUR", PUBLIC)


def test_go_with_both_of_its_resolvers(online):
    """Built outside, with cgo: the sandbox's own compiler goes without, and takes a while for crypto/tls."""
    need_language("go")
    place = online.box.directory("go")
    env = {**online.box.env, "GOCACHE": str(place / "cache"), "GOPATH": str(place / "path"), "GO111MODULE": "off",
           "GOFLAGS": "-p=2"}
    built = subprocess.run(["go", "build", "-o", place / "client", online.box.code(GO, "go")], env=env,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert built.returncode == 0, built.stdout
    done = online.box.command("/mnt/client", level="low",
                              options=["--volume", "%s:/mnt/client:ro" % (place / "client"), "--volume",
                                       "%s:/mnt/ca.pem:ro" % online.world.ca])
    assert done.code == 0, done
    once = ["[%s]" % " ".join(sorted([PUBLIC6, PUBLIC])) + " <nil>", "true",
            "hello from %s %s hello from %s" % (PUBLIC, digest(1000000), PUBLIC6), "20", "true",
            "dial tcp %s:1: connect: connection refused" % PUBLIC, "u <nil>",
            "to %s:7 <nil>" % PUBLIC]
    assert done.text.splitlines() == once * 2


def test_rust_standard_library(online):
    need_language("rust")
    out = online.run("rust", """
use std::io::{Read, Write}; use std::net::*; use std::time::Duration;
fn main() {
    let mut s = TcpStream::connect("good.test:7").unwrap();
    s.set_nodelay(true).unwrap(); s.write_all(b"rust").unwrap(); s.shutdown(Shutdown::Write).unwrap();
    let mut heard = String::new(); s.read_to_string(&mut heard).unwrap(); println!("{}", heard.trim());
    let a: SocketAddr = "FOUR:13".parse().unwrap();
    println!("{}", TcpStream::connect_timeout(&a, Duration::from_secs(30)).unwrap().peer_addr().unwrap());
    let slow: SocketAddr = "93.184.216.35:9".parse().unwrap();
    println!("{:?}", TcpStream::connect_timeout(&slow, Duration::from_millis(300)).unwrap_err().kind());
    println!("{:?}", TcpStream::connect("FOUR:1").unwrap_err().kind());
    let u = UdpSocket::bind("0.0.0.0:0").unwrap(); u.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    u.send_to(b"datagram", "FOUR:7").unwrap(); let mut b = [0; 20]; let (n, from) = u.recv_from(&mut b).unwrap();
    println!("{} {}", String::from_utf8_lossy(&b[..n]), from);
}
""".replace("FOUR", PUBLIC))
    assert out.splitlines() == ["rustbye 4", PUBLIC + ":13", "TimedOut", "ConnectionRefused", "datagram %s:7" % PUBLIC]


@pytest.mark.parametrize("client", ["python", "curl"])
def test_a_client_that_is_killed_while_it_connects_leaves_nothing(online, client):
    """The child ends at once, and so does the run: no connect that nobody waits for holds anything."""
    words = {"python": "python3 -c \"import socket; socket.create_connection(('93.184.216.35', 9))\"",
             "curl": "curl -s http://93.184.216.35:9/"}[client]
    out = online.run("bash", "%s & p=$!; sleep 0.5; kill -9 $p; wait $p; echo $?; curl -sS http://good.test/hello | "
                             "cut -c1-5" % words)
    assert out.splitlines() == ["137", "hello"]
