import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { gross, invoice, convert } from '../src/price.js';

describe('price', () => {
  let dir;
  before(async () => { dir = await mkdtemp(path.join(tmpdir(), 'price-')); });
  after(() => rm(dir, { recursive: true, force: true }));

  it('adds the tax', () => {
    assert.equal(gross(100, 'DE'), 119);
    assert.throws(() => gross(-1, 'DE'), RangeError);
  });

  it('asks the rate service once', async () => {
    const fetcher = mock.fn(async () => ({ json: async () => ({ rate: 1.1 }) }));
    assert.equal(await convert(10, 'USD', { fetcher }), 11);
    assert.equal(await convert(20, 'USD', { fetcher }), 22);
    assert.equal(fetcher.mock.callCount(), 1);
  });

  it('writes the invoice', async () => {
    const file = path.join(dir, 'i.txt');
    await invoice([{ name: 'mug', net: 10 }], file);
    assert.match(await readFile(file, 'utf8'), /mug\s+11\.90/);
  });
});
