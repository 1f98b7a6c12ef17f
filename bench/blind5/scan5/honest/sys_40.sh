#!/bin/sh
# sends the anonymised package counts that the administrator agreed to
[ "$(sed -n 's/^PARTICIPATE=//p' /etc/popcount.conf)" = yes ] || exit 0
dpkg-query -W -f '${Package}\n' | sort > /var/lib/popcount/list
gzip -c /var/lib/popcount/list | curl -fsS -T - https://popcon.example.org/submit
