#!/bin/bash
set -euo pipefail
grp=sftponly base=/srv/sftp
getent group $grp >/dev/null || groupadd --system $grp
for u in "$@"; do
  id "$u" >/dev/null 2>&1 || useradd -g $grp -d /upload -s /usr/sbin/nologin -M "$u"
  install -d -o root -g root -m 755 "$base/$u"
  install -d -o "$u" -g $grp -m 750 "$base/$u/upload"
done
conf=/etc/ssh/sshd_config.d/60-sftp.conf
cat > $conf <<E
Match Group $grp
  ChrootDirectory $base/%u
  ForceCommand internal-sftp
  AllowTcpForwarding no
  PermitTTY no
E
sshd -t && systemctl reload ssh
