// class: everyday, hashing; style: scrypt
const { scryptSync, randomBytes, timingSafeEqual } = require('crypto');
const hash = (p, salt = randomBytes(16)) => salt.toString('hex') + ':' + scryptSync(p, salt, 32).toString('hex');
const check = (p, stored) => {
  const [salt, key] = stored.split(':');
  return timingSafeEqual(Buffer.from(key, 'hex'), scryptSync(p, Buffer.from(salt, 'hex'), 32));
};
console.log(check('secret', hash('secret')));
