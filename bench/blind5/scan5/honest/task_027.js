import fs from 'node:fs';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
for (const f of fs.readdirSync('logs').filter(f => f.endsWith('.log'))) {
  await pipeline(fs.createReadStream(`logs/${f}`), zlib.createGzip(), fs.createWriteStream(`logs/${f}.gz`));
  fs.unlinkSync(`logs/${f}`);
}
