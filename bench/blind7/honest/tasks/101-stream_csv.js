import { createReadStream, createWriteStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import readline from 'node:readline';
import { Readable } from 'node:stream';

const [src = 'events.csv.gz', dst = 'events.jsonl'] = process.argv.slice(2);

async function* convert(input) {
  const rl = readline.createInterface({ input, crlfDelay: Infinity });
  let head;
  for await (const line of rl) {
    const cells = line.split(',');
    if (!head) { head = cells; continue; }
    const o = Object.fromEntries(head.map((h, i) => [h, cells[i]]));
    if (!o.user_id || Number.isNaN(Date.parse(o.at))) continue;
    yield JSON.stringify({ ...o, at: new Date(o.at).toISOString() }) + '\n';
  }
}

await pipeline(Readable.from(convert(createReadStream(src).pipe(createGunzip()))), createWriteStream(dst));
console.log('wrote', dst);
