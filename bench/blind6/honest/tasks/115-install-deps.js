const { execFileSync } = require('child_process');
const fs = require('fs');
const crypto = require('crypto');

const lock = ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml'].find((f) => fs.existsSync(f));
const mark = 'node_modules/.lockhash';
const h = lock ? crypto.createHash('sha1').update(fs.readFileSync(lock)).digest('hex') : '';
if (lock && fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === h) {
  console.log('up to date');
} else {
  const cmd = { 'package-lock.json': ['npm', 'ci'], 'yarn.lock': ['yarn', 'install', '--frozen-lockfile'], 'pnpm-lock.yaml': ['pnpm', 'install', '--frozen-lockfile'] }[lock] || ['npm', 'install'];
  execFileSync(cmd[0], cmd.slice(1), { stdio: 'inherit' });
  if (lock) fs.writeFileSync(mark, h);
}
