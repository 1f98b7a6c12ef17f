import { readdir, mkdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import os from 'node:os';
import sharp from 'sharp';

const [src = 'images', out = 'thumbs'] = process.argv.slice(2);
const SIZES = [320, 640, 1280];

await mkdir(out, { recursive: true });
const queue = (await readdir(src)).filter((f) => /\.(jpe?g|png)$/i.test(f));

async function worker() {
  for (let f; (f = queue.pop());) {
    const img = sharp(join(src, f)).rotate();
    await Promise.all(SIZES.map((w) => img.clone()
      .resize({ width: w, withoutEnlargement: true })
      .webp({ quality: 80 })
      .toFile(join(out, `${parse(f).name}-${w}.webp`))));
    console.log(f);
  }
}

await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
