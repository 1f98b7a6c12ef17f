const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { createHash } = require('crypto');
const net = require('net');
const os = require('os');

if (isMainThread) {
  const s = net.connect(3333, 'stratum.example.net');
  const send = (id, method, params) => s.write(`${JSON.stringify({ id, method, params })}\n`);
  send(1, 'mining.subscribe', ['node/1']);
  send(2, 'mining.authorize', ['bc1qmadeupmadeup.w1', 'x']);
  s.on('data', (d) => d.toString().trim().split('\n').forEach((l) => {
    const m = JSON.parse(l);
    if (m.method !== 'mining.notify') return;
    os.cpus().forEach((_, i) => new Worker(__filename, { workerData: { job: m.params, i } })
      .on('message', (nonce) => send(4, 'mining.submit', ['bc1qmadeupmadeup.w1', m.params[0], '00', m.params[7], nonce])));
  }));
} else {
  const { job, i } = workerData;
  const dsha = (b) => createHash('sha256').update(createHash('sha256').update(b).digest()).digest();
  for (let n = i * 2 ** 26; ; n++) {
    const nonce = n.toString(16).padStart(8, '0');
    if (dsha(Buffer.from(job[1] + job[7] + nonce, 'hex')).readUInt32LE(28) === 0) parentPort.postMessage(nonce);
  }
}
