# class: administrator; style: kernel settings
#!/bin/sh
cat > /etc/sysctl.d/60-net.conf <<EOF
net.core.somaxconn = 1024
net.ipv4.tcp_tw_reuse = 1
vm.swappiness = 10
EOF
sysctl --system > /dev/null
