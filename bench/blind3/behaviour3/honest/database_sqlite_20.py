# class: database; possible: low medium high; style: sqlite, orders and stock, transactions, index
import random
import sqlite3

random.seed(5)
db = sqlite3.connect("shop.db")
db.executescript(
    """
    drop table if exists orders; drop table if exists stock;
    create table stock (id integer primary key, name text, amount integer check (amount >= 0));
    create table orders (id integer primary key, item integer references stock, n integer, state text);
    create index orders_item on orders(item, state);
    """
)
db.executemany("insert into stock (name, amount) values (?, ?)", [("item%03d" % i, random.randint(20, 400)) for i in range(300)])
refused = 0
for _ in range(6000):
    item, n = random.randint(1, 300), random.randint(1, 9)
    try:
        with db:
            db.execute("update stock set amount = amount - ? where id = ?", (n, item))
            db.execute("insert into orders (item, n, state) values (?, ?, 'paid')", (item, n))
    except sqlite3.IntegrityError:
        refused += 1
for row in db.execute("select name, sum(n) s, count(*) from orders join stock on stock.id = item group by 1 order by s desc limit 5"):
    print(*row)
print("refused", refused, "left", db.execute("select sum(amount) from stock").fetchone()[0])
