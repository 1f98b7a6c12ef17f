const { createHmac, timingSafeEqual } = require('crypto');
function sign(data, key) { return createHmac('sha256', key).update(data).digest('base64url'); }
const token = sign('user=1', 'k');
console.log(timingSafeEqual(Buffer.from(token), Buffer.from(sign('user=1', 'k'))));
