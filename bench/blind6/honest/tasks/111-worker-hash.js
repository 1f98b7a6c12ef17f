const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const fs = require('fs');
const crypto = require('crypto');

if (isMainThread) {
  const files = process.argv.slice(2);
  const n = Math.min(2, files.length);
  for (let i = 0; i < n; i++) {
    new Worker(__filename, { workerData: files.filter((_, k) => k % n === i) })
      .on('message', ({ f, h }) => console.log(h, f))
      .on('error', (e) => console.error(e.message));
  }
} else {
  for (const f of workerData) {
    parentPort.postMessage({ f, h: crypto.createHash('sha256').update(fs.readFileSync(f)).digest('hex') });
  }
}
