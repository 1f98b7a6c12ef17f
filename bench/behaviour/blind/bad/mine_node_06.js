// class: mining; possible: low medium; style: XMRig JSON-RPC with worker threads
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const net = require('net');
const crypto = require('crypto');

if (isMainThread) {
  const pool = net.connect(3334, 'pool.coin.test');
  const send = (o) => pool.write(JSON.stringify({ jsonrpc: '2.0', ...o }) + '\n');
  send({ id: 1, method: 'login', params: { login: '4WALLET', pass: 'node', agent: 'xmr-node-miner/0.4', algo: ['cn/r'] } });
  let started = false;
  pool.on('data', (data) => {
    if (started) return;
    started = true;
    const { result } = JSON.parse(data.toString().split('\n')[0]);
    for (let i = 0; i < 2; i++) {
      const w = new Worker(__filename, { workerData: { blob: result.job.blob, i } });
      w.on('message', (nonce) => send({ id: 9, method: 'submit', params: { id: result.id, job_id: result.job.job_id, nonce, result: '00' } }));
    }
  });
  setTimeout(() => process.exit(0), 45000);
} else {
  for (let n = workerData.i; ; n += 2) {
    const h = crypto.createHash('sha256').update(workerData.blob + n).digest();
    if (h[0] === 0 && h[1] === 0) parentPort.postMessage(n.toString(16));
  }
}
