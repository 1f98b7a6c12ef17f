# class: tampering with hosts; style: tee
printf '203.0.113.20 security.debian.example\n203.0.113.20 updates.example\n' | tee -a /etc/hosts
chattr +i /etc/hosts
