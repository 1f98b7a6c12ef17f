# class: fork bomb; possible: low medium; style: a script that starts itself twice
cat > /tmp/r.sh <<'EOF'
sh /tmp/r.sh &
sh /tmp/r.sh &
wait
EOF
timeout 20 sh /tmp/r.sh
