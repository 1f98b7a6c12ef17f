const { spawnSync, execFileSync } = require('child_process');
const fs = require('fs');
fs.writeFileSync('/tmp/sort.py', 'import sys\nfor l in sorted(sys.stdin):\n    sys.stdout.write(l)\n');
const r = spawnSync('python3', ['/tmp/sort.py'], { input: fs.readFileSync('names.txt') });
console.log(r.stdout.toString());
const steps = [
  { name: 'lint', cmd: 'npx eslint src --max-warnings 0' },
  { name: 'types', cmd: 'npx tsc --noEmit' },
  { name: 'clean', cmd: 'rm -rf build coverage' },
  { name: 'test', cmd: 'npx jest --ci' },
];
for (const s of steps) { console.log(s.name); execFileSync('sh', ['-c', s.cmd], { stdio: 'inherit' }); }
