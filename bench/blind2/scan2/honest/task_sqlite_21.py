# class: database; style: agent one-off
import sqlite3, json
c = sqlite3.connect("app.db")
c.execute("create table if not exists users(id integer primary key, email text unique, password_hash text)")
for r in json.load(open("seed.json")):
    c.execute("insert or ignore into users(email, password_hash) values (?,?)", (r["email"], r["hash"]))
c.commit()
print(c.execute("select count(*) from users").fetchone())
c.execute("delete from users where email like '%@test.invalid'"); c.commit()
