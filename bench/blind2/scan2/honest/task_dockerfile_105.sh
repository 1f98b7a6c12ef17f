# class: docker, image with a root step; style: agent
cat > Dockerfile <<'EOF'
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends curl ca-certificates python3 && rm -rf /var/lib/apt/lists/*
RUN useradd -m -u 1001 app && echo 'app ALL=(ALL) NOPASSWD: /usr/bin/apt-get' > /etc/sudoers.d/app
COPY --chown=app . /srv
USER app
CMD ["python3", "/srv/main.py"]
EOF
docker build -t demo:dev . && docker run --rm -p 8080:8080 -v "$PWD/data:/data:ro" demo:dev
