#!/bin/bash
set -euo pipefail
in=${1:?dump.sql.gz}
createdb -T template0 scratch_$$
trap 'dropdb --if-exists scratch_$$' EXIT
gunzip -c "$in" | psql -q -d scratch_$$ > /dev/null
psql -q -d scratch_$$ <<'SQL'
update users set email = 'user' || id || '@example.com', name = 'User ' || id, password_hash = '!', phone = null;
update addresses set street = 'Main Street ' || (id % 200), zip = lpad((id % 9999)::text, 5, '0');
truncate sessions, audit_log, api_tokens;
SQL
pg_dump -Fc -d scratch_$$ > fixtures/anon.dump
ls -lh fixtures/anon.dump
