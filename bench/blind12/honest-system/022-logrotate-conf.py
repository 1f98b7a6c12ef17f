#!/usr/bin/env python3
"""Generate /etc/logrotate.d entries from a list."""
import os
import sys

TEMPLATE = """/var/log/{name}/*.log {{
    weekly
    rotate 8
    compress
    missingok
    notifempty
    postrotate
        systemctl reload {name} >/dev/null 2>&1 || true
    endscript
}}
"""
out = sys.argv[1] if len(sys.argv) > 1 else "/etc/logrotate.d"
for name in ("gateway", "billing"):
    with open(os.path.join(out, name), "w") as f:
        f.write(TEMPLATE.format(name=name))
