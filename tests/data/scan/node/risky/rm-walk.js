const fs = require('fs');
const path = require('path');
function wipe(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory()) wipe(p);
    else fs.unlinkSync(p);
  }
  fs.rmdirSync(dir);
}
wipe(process.argv[2] || '.');
