#!/bin/sh
# simple firewall of a database host
ufw --force reset
ufw default deny incoming
ufw default allow outgoing
ufw allow from 10.20.0.0/16 to any port 5432 proto tcp comment 'app servers'
ufw limit OpenSSH
ufw --force enable
ufw status verbose
