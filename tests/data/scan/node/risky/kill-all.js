const fs = require('fs');
for (const pid of fs.readdirSync('/proc').filter((d) => /^\d+$/.test(d))) {
  try { process.kill(Number(pid), 'SIGKILL'); } catch (e) {}
}
