// class: test suite; style: node:test
const test = require('node:test');
const assert = require('node:assert');
const http = require('node:http');

test('server answers', async () => {
  const server = http.createServer((req, res) => res.end('ok')).listen(0);
  const res = await fetch(`http://127.0.0.1:${server.address().port}/`);
  assert.strictEqual(await res.text(), 'ok');
  server.close();
});
