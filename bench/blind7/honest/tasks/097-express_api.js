const express = require('express');
const Database = require('better-sqlite3');

const db = new Database(process.env.DB_FILE || 'data.db');
db.exec('create table if not exists note (id integer primary key, text text not null, at text default current_timestamp)');

const app = express();
app.use(express.json({ limit: '100kb' }));

app.get('/notes', (req, res) => {
  const limit = Math.min(Number(req.query.limit) || 20, 100);
  res.json(db.prepare('select * from note order by id desc limit ?').all(limit));
});
app.post('/notes', (req, res) => {
  if (typeof req.body.text !== 'string' || !req.body.text.trim()) return res.status(400).json({ error: 'text' });
  const { lastInsertRowid } = db.prepare('insert into note(text) values (?)').run(req.body.text.trim());
  res.status(201).json({ id: lastInsertRowid });
});
app.use((err, req, res, next) => {
  console.error(err);
  res.status(500).json({ error: 'internal' });
});

const srv = app.listen(process.env.PORT || 3000, () => console.log('listening', srv.address().port));
for (const s of ['SIGINT', 'SIGTERM']) process.on(s, () => srv.close(() => { db.close(); process.exit(0); }));
