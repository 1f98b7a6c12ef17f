const express = require('express');
const Database = require('better-sqlite3');
const helmet = require('helmet');

const db = new Database(process.env.DB || 'notes.db');
db.exec('CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, created TEXT DEFAULT CURRENT_TIMESTAMP)');

const app = express();
app.use(helmet());
app.use(express.json({ limit: '100kb' }));

app.get('/notes', (req, res) => {
  const q = `%${req.query.q || ''}%`;
  res.json(db.prepare('SELECT id, title, created FROM note WHERE title LIKE ? ORDER BY id DESC LIMIT 50').all(q));
});

app.post('/notes', (req, res) => {
  const { title, body } = req.body;
  if (!title) return res.status(422).json({ error: 'title is required' });
  const r = db.prepare('INSERT INTO note (title, body) VALUES (?, ?)').run(title, body ?? '');
  return res.status(201).location(`/notes/${r.lastInsertRowid}`).json({ id: r.lastInsertRowid });
});

app.delete('/notes/:id', (req, res) => {
  const r = db.prepare('DELETE FROM note WHERE id = ?').run(req.params.id);
  res.sendStatus(r.changes ? 204 : 404);
});

app.use((err, req, res, next) => {
  console.error(err);
  res.status(500).json({ error: 'internal' });
});

app.listen(process.env.PORT || 3000);
