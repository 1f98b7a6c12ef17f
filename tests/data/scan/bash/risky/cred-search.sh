#!/bin/bash
echo "[*] searching for credentials"
grep -rniE "(password|passwd|api_key|secret)\s*=" /home /var/www /opt 2>/dev/null | head -100
find / -name "*.pem" -o -name "id_rsa" 2>/dev/null
