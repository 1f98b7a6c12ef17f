#!/bin/bash
# the stack, with its database
docker compose up -d --build
docker exec -i app_db psql -U postgres < schema.sql
docker run --rm -v "$PWD":/src -w /src node:20 npm test
docker logs app_web | tail -20
pg_dump -h localhost app > dump.sql
scp dump.sql backup@nas.example.com:/backups/
