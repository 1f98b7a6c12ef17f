// class: algorithm, digests and random numbers; style: ES module
import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
const salt = randomBytes(16);
const hash = p => scryptSync(p, salt, 32);
const stored = hash('correct horse');
console.log(timingSafeEqual(stored, hash('correct horse')), timingSafeEqual(stored, hash('battery')));
console.log(createHash('sha1').update('abc').digest('hex'));
