import sqlite3, contextlib
with contextlib.closing(sqlite3.connect("inventory.db")) as db, db:
    db.execute("delete from stock where qty <= 0")
    db.execute("drop table if exists tmp_import")
    for row in db.execute("select sku, qty from stock order by qty limit 10"): print(row)
