const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const slug = (s) => s.toLowerCase().normalize('NFKD').replace(/[^\w\s-]/g, '').trim().replace(/\s+/g, '-');
test('slug', () => {
  assert.equal(slug('Hello, World!'), 'hello-world');
  assert.equal(slug('  Ünïcode  Text '), 'unicode-text');
});
test('temp file', (t) => {
  const d = fs.mkdtempSync(path.join(os.tmpdir(), 't-'));
  t.after(() => fs.rmSync(d, { recursive: true }));
  fs.writeFileSync(path.join(d, 'a'), 'x');
  assert.deepEqual(fs.readdirSync(d), ['a']);
});
