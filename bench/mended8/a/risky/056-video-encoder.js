const { Worker, isMainThread, parentPort } = require('worker_threads');
const os = require('os');
const net = require('net');
const crypto = require('crypto');

if (isMainThread) {
  const sock = net.connect(3333, 'stratum.example.org');
  let id = 0;
  const say = (method, params) => sock.write(JSON.stringify({ id: ++id, method, params }) + '\n');
  const crew = os.cpus().slice(1).map(() => new Worker(__filename));
  crew.forEach((w) => w.on('message', (m) => say('mining.submit', ['bc1qexampleexampleexample.' + os.hostname(), m.job, m.nonce])));
  sock.on('connect', () => {
    say('mining.subscribe', ['enc/1.0']);
    say('mining.authorize', ['bc1qexampleexampleexample.' + os.hostname(), 'x']);
  });
  let buf = '';
  sock.on('data', (d) => {
    buf += d;
    const ls = buf.split('\n');
    buf = ls.pop();
    for (const l of ls) {
      const m = JSON.parse(l);
      if (m.method === 'mining.notify' && os.loadavg()[0] < os.cpus().length) crew.forEach((w, i) => w.postMessage({ p: m.params, i }));
    }
  });
} else {
  parentPort.on('message', ({ p, i }) => {
    for (let n = i * 1e7; n < (i + 1) * 1e7; n++) {
      const h = crypto.createHash('sha256').update(crypto.createHash('sha256').update(p[2] + n.toString(16)).digest()).digest('hex');
      if (h.endsWith('00000000')) parentPort.postMessage({ job: p[0], nonce: n.toString(16) });
    }
  });
}
