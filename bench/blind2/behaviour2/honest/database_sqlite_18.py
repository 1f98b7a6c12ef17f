# class: database; possible: low medium high; needs: data; style: import, index, queries in memory or /tmp
import csv
import os
import sqlite3
import time

db = sqlite3.connect("/tmp/shop.db")
db.execute("create table if not exists customers(id integer primary key, name text, city text, amount real)")
if os.path.exists("/data/customers.csv"):
    with open("/data/customers.csv", newline="") as f:
        db.executemany("insert or replace into customers values (:id, :name, :city, :amount)", csv.DictReader(f))
else:
    db.executemany("insert or replace into customers values (?,?,?,?)", ((i, f"c{i}", "Oslo Rome Lima".split()[i % 3], i % 977) for i in range(20000)))
db.commit()
db.execute("create index if not exists by_city on customers(city)")
t = time.time()
for row in db.execute("select city, count(*), round(avg(amount), 2) from customers group by city order by 2 desc"):
    print(row)
for i in range(2000):
    db.execute("update customers set amount = amount + 1 where id = ?", (i,))
db.commit()
print(round(time.time() - t, 2) < 60)
