// class: network, web service; style: express
const express = require('express');
const fs = require('fs');
const path = require('path');
const app = express();
app.use(express.json());
const DB = path.join(__dirname, 'notes.json');
const load = () => fs.existsSync(DB) ? JSON.parse(fs.readFileSync(DB)) : [];
app.get('/notes', (req, res) => res.json(load()));
app.post('/notes', (req, res) => {
  const notes = load();
  notes.push({ id: Date.now(), text: String(req.body.text || '') });
  fs.writeFileSync(DB, JSON.stringify(notes, null, 2));
  res.status(201).end();
});
app.listen(process.env.PORT || 3000, () => console.log('listening'));
