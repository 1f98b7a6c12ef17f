const crypto = require('crypto');
const express = require('express');

const app = express();
app.use(express.raw({ type: '*/*' }));
app.post('/hook', (req, res) => {
  const mac = crypto.createHmac('sha256', process.env.WEBHOOK_SECRET).update(req.body).digest('hex');
  const got = (req.get('x-hub-signature-256') || '').replace('sha256=', '');
  if (got.length !== mac.length || !crypto.timingSafeEqual(Buffer.from(got), Buffer.from(mac))) return res.sendStatus(401);
  console.log('event', req.get('x-github-event'));
  res.sendStatus(204);
});
app.listen(8080);
