const express = require('express');

const app = express();
app.use(express.json({ limit: '100kb' }));
const notes = new Map();
let next = 1;
app.get('/notes', (req, res) => res.json([...notes.values()]));
app.post('/notes', (req, res) => {
  const { title, text = '' } = req.body ?? {};
  if (typeof title !== 'string' || !title.trim()) return res.status(400).json({ error: 'title' });
  const n = { id: next++, title, text, at: new Date().toISOString() };
  notes.set(n.id, n);
  res.status(201).json(n);
});
app.delete('/notes/:id', (req, res) => res.sendStatus(notes.delete(Number(req.params.id)) ? 204 : 404));
if (require.main === module) app.listen(process.env.PORT || 3000);
module.exports = app;
