// class: test suite; possible: low medium
const test = require('node:test'), assert = require('assert'), net = require('net'), { execFile } = require('child_process');
test('echo server', async () => {
  const srv = net.createServer(c => c.pipe(c)); await new Promise(r => srv.listen(0, '127.0.0.1', r));
  for (let i = 0; i < 30; i++) {
    const back = await new Promise(ok => { const c = net.connect(srv.address().port, '127.0.0.1', () => c.end('hi' + i)); c.on('data', d => ok(d.toString())); });
    assert.equal(back, 'hi' + i);
  }
  srv.close();
});
test('children', async () => { for (let i = 0; i < 5; i++) await new Promise((ok, no) => execFile('printf', ['%s', i], (e, o) => (e ? no(e) : ok(assert.equal(o, String(i)))))); });
