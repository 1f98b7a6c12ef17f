# class: docker, brings a stack up and waits for it; style: CI
set -e
docker compose up -d --build db api
for i in $(seq 1 30); do
  if curl -fsS http://localhost:8000/healthz >/dev/null 2>&1; then echo up; break; fi
  sleep 2
done
docker compose exec -T api python manage.py migrate
docker compose exec -T api pytest -q
docker compose logs --tail=100 api
docker compose down -v
