#!/bin/sh
getent group cachesrv >/dev/null || groupadd -r cachesrv
getent passwd cachesrv >/dev/null || useradd -r -g cachesrv -d /var/lib/cachesrv -s /sbin/nologin -c "Cache server" cachesrv
if [ $1 -eq 1 ] && [ -x /usr/bin/systemctl ]; then
  /usr/bin/systemctl --no-reload preset cachesrv.service || :
fi
if [ -x /usr/sbin/semanage ]; then
  semanage fcontext -a -t var_lib_t '/var/lib/cachesrv(/.*)?' 2>/dev/null || :
  restorecon -R /var/lib/cachesrv || :
fi
systemd-tmpfiles --create /usr/lib/tmpfiles.d/cachesrv.conf || :
exit 0
