const fs = require('fs/promises'), path = require('path');
async function du(dir) {
  let n = 0;
  for (const e of await fs.readdir(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    n += e.isDirectory() ? await du(p) : (await fs.stat(p)).size;
  }
  return n;
}
du(process.argv[2] || '.').then(n => console.log((n / 1024).toFixed(1), 'KiB'));
