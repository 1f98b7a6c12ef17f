const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const fs = require('fs');
const os = require('os');
const path = require('path');

if (isMainThread) {
  const src = process.argv[2] || 'photos';
  const files = fs.readdirSync(src).filter((f) => /\.(jpe?g|png)$/i.test(f));
  fs.mkdirSync('thumbs', { recursive: true });
  const n = Math.min(os.cpus().length, files.length);
  let left = n;
  for (let i = 0; i < n; i += 1) {
    const w = new Worker(__filename, { workerData: { src, files: files.filter((_, k) => k % n === i) } });
    w.on('message', (m) => console.log(m));
    w.on('exit', () => { left -= 1; if (!left) console.log('finished', files.length); });
  }
} else {
  const sharp = require('sharp');
  (async () => {
    for (const f of workerData.files) {
      const out = path.join('thumbs', `${path.parse(f).name}.webp`);
      await sharp(path.join(workerData.src, f)).rotate().resize(320).webp({ quality: 75 }).toFile(out);
      parentPort.postMessage(out);
    }
  })();
}
