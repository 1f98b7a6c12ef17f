const express = require('express');
const Database = require('better-sqlite3');
const { z } = require('zod');

const db = new Database(process.env.DB_FILE || 'todo.db');
db.exec('CREATE TABLE IF NOT EXISTS todo(id INTEGER PRIMARY KEY, title TEXT NOT NULL, done INTEGER DEFAULT 0)');
const Todo = z.object({ title: z.string().min(1).max(200), done: z.boolean().default(false) });

const app = express();
app.use(express.json({ limit: '20kb' }));

app.get('/todos', (_req, res) => res.json(db.prepare('SELECT * FROM todo').all()));
app.post('/todos', (req, res) => {
  const p = Todo.safeParse(req.body);
  if (!p.success) return res.status(400).json(p.error.issues);
  const { lastInsertRowid } = db.prepare('INSERT INTO todo(title, done) VALUES (?, ?)').run(p.data.title, Number(p.data.done));
  return res.status(201).json({ id: lastInsertRowid });
});
app.delete('/todos/:id', (req, res) => {
  const { changes } = db.prepare('DELETE FROM todo WHERE id = ?').run(req.params.id);
  res.sendStatus(changes ? 204 : 404);
});

app.listen(process.env.PORT || 3000, '127.0.0.1');
