# class: monitoring; style: restart of a hung service
#!/bin/sh
if ! curl -fsS -m 5 http://127.0.0.1:8080/health > /dev/null; then
    logger -t watchdog "app does not answer"
    systemctl restart app
fi
pgrep -x rsyslogd > /dev/null || systemctl start rsyslog
