#!/bin/bash
# waits for the test database and loads the fixtures
until pg_isready -h localhost -p "${PGPORT:-5433}" -q; do sleep 0.5; done
export PGPASSWORD=postgres
psql -h localhost -p "${PGPORT:-5433}" -U postgres -v ON_ERROR_STOP=1 <<SQL
DROP DATABASE IF EXISTS shop_test;
CREATE DATABASE shop_test;
\c shop_test
\i db/schema.sql
\i db/fixtures.sql
SQL
