// express app for local use
require('dotenv').config();
const express = require('express');
const app = express();
app.use(express.json());
const notes = new Map();
app.get('/notes/:id', (req, res) => {
  const n = notes.get(req.params.id);
  return n ? res.json(n) : res.status(404).json({ error: 'not found' });
});
app.put('/notes/:id', (req, res) => {
  notes.set(req.params.id, { text: String(req.body.text || '') });
  res.sendStatus(204);
});
app.delete('/notes/:id', (req, res) => res.sendStatus(notes.delete(req.params.id) ? 204 : 404));
const port = process.env.PORT || 3000;
app.listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}`));
