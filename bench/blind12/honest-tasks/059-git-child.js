const { execFileSync } = require('child_process');

const git = (...a) => execFileSync('git', a, { encoding: 'utf8' }).trim();
const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
const dirty = git('status', '--porcelain').split('\n').filter(Boolean);
console.log(`${branch}: ${dirty.length} changed files`);
dirty.slice(0, 10).forEach((l) => console.log(' ', l));
