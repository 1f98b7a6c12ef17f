cat > hello.sh <<'EOF'
#!/bin/bash
echo "Hello, $1"
EOF
chmod +x hello.sh
./hello.sh world
