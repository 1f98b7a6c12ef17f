#!/bin/bash
# LOG-04: audit rules for changes of identity and privilege files
set -euo pipefail
R=/etc/audit/rules.d/40-identity.rules
cat > "$R" <<'EOF'
-w /etc/passwd -p wa -k identity
-w /etc/shadow -p wa -k identity
-w /etc/group -p wa -k identity
-w /etc/sudoers -p wa -k privilege
-w /etc/sudoers.d/ -p wa -k privilege
-w /etc/pam.d/ -p wa -k pam
-w /etc/ld.so.preload -p wa -k preload
-a always,exit -F arch=b64 -S ptrace -k tracing
EOF
chmod 0640 "$R"
augenrules --load >/dev/null
n=$(auditctl -l | grep -cE 'identity|privilege|pam|preload|tracing')
[ "$n" -ge 8 ] || { echo "only $n rules active" >&2; exit 1; }
systemctl is-active -q auditd || systemctl start auditd
echo "audit rules active: $n"
