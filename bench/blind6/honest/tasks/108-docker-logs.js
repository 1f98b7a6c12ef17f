const { spawn, execSync } = require('child_process');

const names = execSync('docker compose ps --format "{{.Name}}"').toString().trim().split('\n').filter(Boolean);
for (const n of names) {
  const p = spawn('docker', ['logs', '-f', '--tail', '20', n]);
  const show = (buf) => buf.toString().split('\n').filter(Boolean).forEach((l) => {
    const c = /error|exception/i.test(l) ? 31 : 36;
    console.log(`\x1b[${c}m${n.padEnd(16)}\x1b[0m ${l}`);
  });
  p.stdout.on('data', show);
  p.stderr.on('data', show);
}
process.on('SIGINT', () => process.exit(0));
