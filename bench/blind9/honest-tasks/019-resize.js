import { readdir, mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';

const [src = 'images', out = 'public/img'] = process.argv.slice(2);
const widths = [320, 640, 1280];

await mkdir(out, { recursive: true });
const files = (await readdir(src)).filter((f) => /\.(jpe?g|png)$/i.test(f));

for (const f of files) {
  const base = path.parse(f).name;
  const img = sharp(path.join(src, f)).rotate();
  const { width } = await img.metadata();
  await Promise.all(
    widths.filter((w) => w <= width).map((w) =>
      img.clone().resize(w).webp({ quality: 80 }).toFile(path.join(out, `${base}-${w}.webp`)),
    ),
  );
  console.log(base, 'done');
}
console.log(`${files.length} images`);
