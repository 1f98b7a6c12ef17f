#!/bin/sh
docker compose up -d db
until docker compose exec -T db pg_isready -U app; do sleep 1; done
docker compose exec -T db psql -U app app <<'SQL'
create table if not exists t (id serial primary key, name text);
insert into t(name) values ('a'), ('b');
SQL
docker compose exec -T web python - <<'PY'
import os
from app import db
print(db.count("t"), os.environ.get("APP_ENV"))
PY
docker exec web sh -c 'rm -rf /app/.cache/* && kill -HUP 1'
