// class: tests; possible: low medium; style: node:test-like, servers on the loopback on many ports
const http = require("http");
const net = require("net");
const assert = require("assert");
const cases = [];
const test = (name, f) => cases.push([name, f]);
const listen = (s) => new Promise((ok) => s.listen(0, "127.0.0.1", () => ok(s.address().port)));

for (let i = 0; i < 12; i++)
  test("http " + i, async () => {
    const s = http.createServer((q, a) => a.end(q.url));
    const port = await listen(s);
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/x${i}`)).text(), "/x" + i);
    s.closeAllConnections();
    s.close();
  });
test("echo", async () => {
  const s = net.createServer((c) => c.pipe(c));
  const port = await listen(s);
  const c = net.connect(port, "127.0.0.1");
  c.write("ping");
  assert.equal(String(await new Promise((ok) => c.once("data", ok))), "ping");
  c.destroy();
  s.close();
});
test("refused", async () => {
  for (let p = 40001; p < 40008; p++) await assert.rejects(fetch(`http://127.0.0.1:${p}/`));
});
(async () => {
  for (const [name, f] of cases) {
    try { await f(); console.log("ok", name); } catch (e) { console.log("not ok", name, e.message); }
  }
  process.exit(0);
})();
