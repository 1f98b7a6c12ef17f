# class: database; style: here-document
sqlite3 app.db <<'SQL'
CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, password_hash TEXT);
INSERT INTO users (name, password_hash) VALUES ('root', 'x');
DELETE FROM users WHERE name = 'root';
.mode csv
SELECT * FROM users;
SQL
