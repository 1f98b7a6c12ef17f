const { createClient } = require('redis');
const sharp = require('sharp');
const path = require('path');

const OUT = process.env.THUMB_DIR || './thumbs';
const kinds = {
  async thumb({ file, width }) {
    const dst = path.join(OUT, `${path.parse(file).name}-${width}.webp`);
    await sharp(file).resize({ width: Math.min(width, 2000) }).webp({ quality: 80 }).toFile(dst);
    return dst;
  },
  async meta({ file }) {
    const { width, height, format } = await sharp(file).metadata();
    return { width, height, format };
  },
};

(async () => {
  const c = createClient({ url: process.env.REDIS_URL });
  await c.connect();
  let on = true;
  process.on('SIGTERM', () => (on = false));
  while (on) {
    const m = await c.blPop('jobs', 5);
    if (!m) continue;
    const job = JSON.parse(m.element);
    try {
      if (!Object.hasOwn(kinds, job.kind)) throw new Error('unknown kind');
      await c.set(`result:${job.id}`, JSON.stringify(await kinds[job.kind](job)), { EX: 3600 });
    } catch (e) {
      await c.rPush('failed', JSON.stringify({ ...job, error: e.message }));
    }
  }
  await c.quit();
})();
