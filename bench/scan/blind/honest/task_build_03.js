// class: build script; style: child_process
const { execSync } = require('child_process');
const fs = require('fs');
fs.rmSync('dist', { recursive: true, force: true });
execSync('npx tsc -p tsconfig.build.json', { stdio: 'inherit' });
fs.cpSync('assets', 'dist/assets', { recursive: true });
const version = execSync('git describe --tags --always').toString().trim();
fs.writeFileSync('dist/version.json', JSON.stringify({ version, built: new Date() }));
