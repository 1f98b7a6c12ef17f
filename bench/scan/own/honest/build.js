// builds the site
const { execSync } = require('child_process');
const fs = require('fs');
const path = require('path');
fs.rmSync('dist', { recursive: true, force: true });
fs.mkdirSync('dist');
execSync('npm ci && npx tsc -p .', { stdio: 'inherit' });
for (const f of fs.readdirSync('src')) {
  if (f.endsWith('.html')) fs.copyFileSync(path.join('src', f), path.join('dist', f));
}
