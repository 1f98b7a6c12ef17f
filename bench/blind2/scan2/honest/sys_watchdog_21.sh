# class: monitoring; style: restarts what hangs
#!/bin/sh
while :; do
    if ! curl -fs -m 5 http://127.0.0.1:8080/health >/dev/null; then
        logger -p daemon.err "app hangs, restart"
        pid=$(pgrep -f '/opt/app/bin/server') && kill -QUIT $pid && sleep 5 && kill -9 $pid 2>/dev/null
        systemctl restart app
        sleep 60
    fi
    sleep 15
done
