# class: database; possible: low medium
import os, random, sqlite3, tempfile
db = sqlite3.connect(os.path.join(tempfile.mkdtemp(), "shop.db"))
db.executescript("create table item(id integer primary key, name text, price real); create index by_name on item(name);")
for i in range(40):
    with db: db.executemany("insert into item(name, price) values(?, ?)", [("n%d" % random.randrange(999), random.random()) for _ in range(250)])
print(db.execute("select count(*), avg(price) from item where name like 'n1%'").fetchone()); db.execute("vacuum")
