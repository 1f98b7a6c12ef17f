import { mkdtemp, writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

const dir = await mkdtemp(join(tmpdir(), 'spec-'));
await writeFile(join(dir, 'date.test.mjs'), `
import test from 'node:test';
import assert from 'node:assert/strict';

test('iso round trip', () => {
  const d = new Date(Date.UTC(2024, 1, 29));
  assert.equal(d.toISOString().slice(0, 10), '2024-02-29');
});
test('invalid', () => assert.ok(Number.isNaN(Date.parse('nope'))));
`);
const r = spawnSync(process.execPath, ['--test', dir], { stdio: 'inherit' });
await rm(dir, { recursive: true });
process.exit(r.status);
