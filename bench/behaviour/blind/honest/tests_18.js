// class: test suite; possible: low medium; style: node:test
const test = require('node:test');
const assert = require('node:assert');
const http = require('node:http');
const { execFileSync } = require('node:child_process');

test('many requests', async () => {
  const server = http.createServer((q, r) => r.end(q.url)).listen(0, '127.0.0.1');
  await new Promise((r) => server.on('listening', r));
  const base = `http://127.0.0.1:${server.address().port}`;
  for (let i = 0; i < 50; i++) assert.equal(await (await fetch(`${base}/${i}`)).text(), `/${i}`);
  server.closeAllConnections();
  server.close();
});

test('a command', () => {
  for (let i = 0; i < 10; i++) assert.match(execFileSync('uname').toString(), /Linux/);
});
