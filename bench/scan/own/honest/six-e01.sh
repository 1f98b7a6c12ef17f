cat > Dockerfile <<'EOF'
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends curl ca-certificates && rm -rf /var/lib/apt/lists/*
RUN curl -fsSL https://deb.nodesource.com/setup_20.x | bash - && apt-get install -y nodejs
RUN useradd -m app && mkdir -p /srv/app && chown app:app /srv/app
RUN curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y
USER app
ENTRYPOINT ["/srv/app/entry.sh"]
EOF
cat > entry.sh <<'EOF'
#!/bin/sh
set -e
python manage.py migrate --noinput
exec gunicorn app.wsgi -b 0.0.0.0:8000
EOF
docker build -t app .
