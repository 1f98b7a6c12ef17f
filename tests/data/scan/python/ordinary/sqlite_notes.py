import sqlite3
con = sqlite3.connect("notes.db")
con.execute("create table if not exists note (id integer primary key, text text)")
con.executemany("insert into note (text) values (?)", [("a",), ("b",)])
con.commit()
for row in con.execute("select * from note"):
    print(row)
con.close()
