#!/bin/bash
# session optional pam_exec.so /usr/local/sbin/mkhome
[ "$PAM_TYPE" = open_session ] || exit 0
uid=$(id -u "$PAM_USER") || exit 0
[ "$uid" -ge 10000 ] || exit 0
home=$(getent passwd "$PAM_USER" | cut -d: -f6)
[ -d "$home" ] && exit 0
cp -a /etc/skel "$home"
chown -R "$uid:$(id -g "$PAM_USER")" "$home"
chmod 700 "$home"
setquota -u "$PAM_USER" 20G 22G 0 0 /home 2>/dev/null
logger -t mkhome "made $home"
