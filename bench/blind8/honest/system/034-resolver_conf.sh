#!/bin/sh
# /etc/resolvconf/update.d/unbound
set -e
[ -x /usr/sbin/unbound-control ] || exit 0
. /etc/default/unbound 2>/dev/null || true
[ "${RESOLVCONF_FORWARDERS:-true}" = true ] || exit 0
ns=""
for i in $(/lib/resolvconf/list-records); do
  ns="$ns $(sed -n 's/^nameserver[[:space:]]\+//p' "/run/resolvconf/interface/$i" | grep -v '^127\.')"
done
if [ -n "$(echo $ns)" ]; then
  unbound-control forward $ns >/dev/null
else
  unbound-control forward off >/dev/null
fi
