#!/bin/sh
# %pre / %post / %preun / %postun of example-agentd, dispatched by the spec file
phase=$1 count=$2
case $phase in
  pre)
    getent group agentd >/dev/null || groupadd -r agentd
    getent passwd agentd >/dev/null || useradd -r -g agentd -d /var/lib/agentd -s /sbin/nologin -c "Agent" agentd
    ;;
  post)
    if [ "$count" -eq 1 ]; then systemctl --no-reload preset agentd.service >/dev/null 2>&1 || :; fi
    semanage fcontext -a -t var_lib_t '/var/lib/agentd(/.*)?' 2>/dev/null || :
    restorecon -R /var/lib/agentd 2>/dev/null || :
    /sbin/ldconfig
    ;;
  preun)
    if [ "$count" -eq 0 ]; then systemctl --no-reload disable --now agentd.service >/dev/null 2>&1 || :; fi
    ;;
  postun)
    systemctl daemon-reload >/dev/null 2>&1 || :
    if [ "$count" -ge 1 ]; then systemctl try-restart agentd.service >/dev/null 2>&1 || :; fi
    ;;
esac
exit 0
