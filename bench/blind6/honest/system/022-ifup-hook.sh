#!/bin/sh
set -e
[ "$IFACE" != lo ] || exit 0
[ "$MODE" = start ] || exit 0
[ "$ADDRFAM" = inet ] || [ "$ADDRFAM" = inet6 ] || exit 0
if [ -x /usr/sbin/chronyd ] && pidof chronyd >/dev/null; then
  chronyc online >/dev/null 2>&1 || true
fi
if [ -x /usr/sbin/postfix ]; then
  /usr/sbin/postfix flush >/dev/null 2>&1 &
fi
exit 0
