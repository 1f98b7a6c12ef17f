import json
import sqlite3
from contextlib import closing

with closing(sqlite3.connect("shop.db")) as db, db:
    db.execute("create table if not exists item(id integer primary key, name text, price real, tags text)")
    items = json.load(open("items.json"))
    db.executemany("insert or replace into item values(:id, :name, :price, :tags)",
                   ({**i, "tags": ",".join(i.get("tags", []))} for i in items))
    for row in db.execute("select name, price from item where price > ? order by price desc limit 10", (10,)):
        print(*row)
    db.execute("delete from item where price is null")
