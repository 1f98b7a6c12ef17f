#!/bin/sh
# rpm %post
if [ $1 -eq 1 ]; then
  /usr/bin/systemctl preset agentd.service >/dev/null 2>&1 || :
fi
/sbin/ldconfig
/usr/sbin/setcap cap_net_bind_service=+ep /usr/libexec/agentd || :
