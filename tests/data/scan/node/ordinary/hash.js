const crypto = require('crypto');
const hash = (s) => crypto.createHash('sha256').update(s).digest('hex');
console.log(hash('hello'), crypto.randomUUID());
