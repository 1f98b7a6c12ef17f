const { spawn } = require('child_process');
const server = spawn('npm', ['run', 'dev'], { stdio: 'inherit', env: { ...process.env, PORT: '4100' } });
const stop = () => server.kill('SIGTERM');
process.on('SIGINT', stop);
setTimeout(async () => {
  const r = await fetch('http://localhost:4100/health').catch(() => null);
  console.log(r && r.ok ? 'healthy' : 'not up');
  stop();
}, 8000);
