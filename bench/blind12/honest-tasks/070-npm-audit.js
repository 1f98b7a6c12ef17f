const { spawnSync } = require('node:child_process');

const p = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 });
const { vulnerabilities = {} } = JSON.parse(p.stdout || '{}');
const bad = Object.values(vulnerabilities).filter((v) => ['high', 'critical'].includes(v.severity));
bad.forEach((v) => console.log(v.severity.padEnd(9), v.name, v.range));
process.exitCode = bad.length ? 1 : 0;
