const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const dirs = fs.readdirSync('packages').map((d) => path.join('packages', d)).filter((d) => fs.existsSync(path.join(d, 'package.json')));
let failed = 0;
for (const d of dirs) {
  const pkg = JSON.parse(fs.readFileSync(path.join(d, 'package.json')));
  for (const s of ['build', 'test']) {
    if (!pkg.scripts?.[s]) continue;
    const t = Date.now();
    const r = spawnSync('npm', ['run', '--silent', s], { cwd: d, stdio: 'inherit', shell: process.platform === 'win32' });
    console.log(`${pkg.name} ${s}: ${r.status === 0 ? 'ok' : 'failed'} ${Date.now() - t}ms`);
    if (r.status !== 0) failed++;
  }
}
process.exit(failed ? 1 : 0);
