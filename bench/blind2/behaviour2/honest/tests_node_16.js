// class: tests; possible: low medium; style: server under test on the loopback
const http = require('http');
const assert = require('assert');
const store = new Map();
const server = http.createServer((q, r) => {
  const key = q.url.slice(1);
  if (q.method === 'PUT') { let b = ''; q.on('data', d => b += d).on('end', () => { store.set(key, b); r.writeHead(204).end(); }); }
  else if (store.has(key)) r.end(store.get(key));
  else r.writeHead(404).end();
});
server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}/`;
  let n = 0;
  for (let i = 0; i < 200; i++) {
    await fetch(base + 'k' + i, { method: 'PUT', body: 'v' + i });
    assert.strictEqual(await (await fetch(base + 'k' + i)).text(), 'v' + i);
    n++;
  }
  assert.strictEqual((await fetch(base + 'none')).status, 404);
  console.log(n, 'passed');
  process.exit(0);
});
