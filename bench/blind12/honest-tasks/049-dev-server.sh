#!/bin/bash
set -e
npm run dev > dev.log 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null' EXIT
for i in $(seq 30); do
  curl -fs http://localhost:3000/health && break
  sleep 1
done
npx playwright test
