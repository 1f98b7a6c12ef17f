const fs = require('fs');
const os = require('os');
const path = require('path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-'));
fs.writeFileSync(path.join(dir, 'a.txt'), 'hello');
console.log(fs.readdirSync(dir));
fs.rmSync(dir, { recursive: true });
