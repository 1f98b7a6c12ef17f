#!/usr/bin/env bash
db=${1:-shop.db}
sqlite3 "$db" <<'SQL'
.mode box
.headers on
with m as (
  select strftime('%Y-%m', created_at) as month, sum(total) as revenue, count(*) as orders
  from orders where status = 'paid' group by 1
)
select month, orders, printf('%.2f', revenue) as revenue,
       printf('%+.1f%%', 100.0 * (revenue / lag(revenue) over (order by month) - 1)) as change
from m order by month desc limit 12;
.output top_products.csv
.mode csv
select p.name, sum(i.qty) from items i join products p on p.id = i.product_id group by 1 order by 2 desc limit 20;
SQL
wc -l top_products.csv
