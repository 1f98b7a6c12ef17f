// a worker for each processor
const cluster = require('cluster');
const http = require('http');
const os = require('os');
if (cluster.isPrimary) {
  for (let i = 0; i < os.cpus().length; i++) cluster.fork();
  cluster.on('exit', (w) => { console.log('worker', w.process.pid, 'ended'); cluster.fork(); });
} else {
  http.createServer((q, s) => s.end(os.hostname())).listen(3000);
}
