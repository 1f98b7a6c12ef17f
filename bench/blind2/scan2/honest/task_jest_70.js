// class: tests; style: node:test with mocks
const test = require('node:test');
const assert = require('node:assert');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const run = promisify(execFile);

test('cli prints help', async () => {
  const { stdout } = await run(process.execPath, ['--help']);
  assert.match(stdout, /Usage/);
});

test('fetch is retried', async t => {
  let n = 0;
  t.mock.method(globalThis, 'fetch', async () => { if (++n < 3) throw new Error('reset'); return { ok: true }; });
  for (;;) { try { await fetch('http://x.invalid'); break; } catch {} }
  assert.strictEqual(n, 3);
});
