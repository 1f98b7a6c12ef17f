#!/usr/bin/env bash
set -eu
cat > Dockerfile <<'D'
FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
USER nobody
CMD ["gunicorn", "-b", "0.0.0.0:8000", "app:app"]
D
docker build -t web:test .
docker run -d --rm --name web -p 8000:8000 web:test
for i in $(seq 20); do curl -fs http://localhost:8000/health && break; sleep 1; done
docker logs web | tail
docker stop web
