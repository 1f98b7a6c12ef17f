#!/bin/bash
set -m
pids=()
cleanup() {
  for p in "${pids[@]}"; do kill "$p" 2>/dev/null; done
  wait
}
trap cleanup EXIT INT TERM
[ -f .env ] && set -a && . ./.env && set +a
(cd backend && exec uvicorn app:app --reload --port 8000) & pids+=($!)
(cd frontend && exec npm run dev -- --port 5173) & pids+=($!)
until curl -fs localhost:8000/health >/dev/null; do sleep 0.5; done
echo "ready: http://localhost:5173"
wait -n
