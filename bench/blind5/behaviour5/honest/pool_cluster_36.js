// class: process pool; possible: low medium
const cluster = require('cluster'), http = require('http');
if (cluster.isPrimary) {
  let up = 0;
  for (let i = 0; i < 3; i++) cluster.fork();
  cluster.on('listening', async () => {
    if (++up < 3) return;
    for (let i = 0; i < 50; i++) await new Promise(ok => http.get('http://127.0.0.1:8123/', r => { r.resume(); r.on('end', ok); }));
    for (const w of Object.values(cluster.workers)) w.kill(); console.log('done');
  });
} else http.createServer((q, r) => r.end('w' + process.pid)).listen(8123, '127.0.0.1');
