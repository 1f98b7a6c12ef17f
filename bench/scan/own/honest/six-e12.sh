docker compose -f - up -d <<'EOF'
services:
  db:
    image: postgres:16
    environment: {POSTGRES_PASSWORD: dev}
    volumes: [db:/var/lib/postgresql/data]
    healthcheck: {test: ["CMD-SHELL", "pg_isready -U postgres"], interval: 5s}
  web:
    build: .
    command: sh -c "npm run migrate && npm start"
    ports: ["3000:3000"]
volumes: {db: {}}
EOF
kubectl apply -f - <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      initContainers:
        - {name: wait, image: busybox, command: ["sh", "-c", "until nc -z db 5432; do sleep 1; done"]}
      containers:
        - name: web
          image: web:1
          lifecycle: {preStop: {exec: {command: ["sleep", "5"]}}}
EOF
