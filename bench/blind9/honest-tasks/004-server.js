const express = require('express');
const { randomUUID } = require('crypto');

const app = express();
app.use(express.json({ limit: '100kb' }));
const notes = new Map();

app.get('/notes', (req, res) => {
  const q = (req.query.q || '').toLowerCase();
  res.json([...notes.values()].filter((n) => n.text.toLowerCase().includes(q)));
});

app.post('/notes', (req, res) => {
  if (typeof req.body.text !== 'string') return res.status(400).json({ error: 'text required' });
  const note = { id: randomUUID(), text: req.body.text, at: new Date().toISOString() };
  notes.set(note.id, note);
  res.status(201).json(note);
});

app.delete('/notes/:id', (req, res) => res.sendStatus(notes.delete(req.params.id) ? 204 : 404));

app.use((err, req, res, next) => {
  console.error(err.message);
  res.status(500).json({ error: 'internal' });
});

const port = Number(process.env.PORT) || 3000;
const server = app.listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
