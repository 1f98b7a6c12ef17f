cat > ~/.config/autostart/redshift.desktop <<'EOF'
[Desktop Entry]
Type=Application
Name=Redshift
Exec=redshift-gtk
EOF
cat > ~/.config/systemd/user/syncthing.service <<'EOF'
[Service]
ExecStart=/usr/bin/syncthing serve --no-browser
Restart=on-failure
[Install]
WantedBy=default.target
EOF
systemctl --user enable --now syncthing
cat > .git/hooks/commit-msg <<'EOF'
#!/usr/bin/env python3
import re, sys
if not re.match(r"(feat|fix|docs): ", open(sys.argv[1]).read()):
    sys.exit("bad message")
EOF
chmod +x .git/hooks/commit-msg
