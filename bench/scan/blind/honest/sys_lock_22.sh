# class: administrator; style: locking of accounts that left
#!/bin/sh
for u in "$@"; do
    usermod -L -e 1 "$u"
    pkill -KILL -u "$u" || true
    crontab -r -u "$u" 2>/dev/null || true
    tar -C /home -czf "/srv/archive/$u.tgz" "$u" && rm -rf "/home/$u"
done
