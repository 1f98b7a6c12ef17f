#!/bin/bash
# user-data for worker nodes
set -euxo pipefail
exec > >(tee /var/log/user-data.log) 2>&1

swapoff -a
sed -i '/\sswap\s/s/^/#/' /etc/fstab
modprobe -a overlay br_netfilter
printf 'overlay\nbr_netfilter\n' > /etc/modules-load.d/k8s.conf
cat > /etc/sysctl.d/90-k8s.conf <<'S'
net.bridge.bridge-nf-call-iptables = 1
net.ipv4.ip_forward = 1
S
sysctl --system

install -d -m 0755 /etc/apt/keyrings
curl -fsSL https://packages.corp.example/k8s/key.asc | gpg --dearmor -o /etc/apt/keyrings/k8s.gpg
echo "deb [signed-by=/etc/apt/keyrings/k8s.gpg] https://packages.corp.example/k8s stable main" > /etc/apt/sources.list.d/k8s.list
apt-get update
apt-get install -y containerd kubelet=1.30.* kubeadm=1.30.*
apt-mark hold kubelet kubeadm

aws ssm get-parameter --name /k8s/join --with-decryption --query Parameter.Value --output text > /run/join.conf
chmod 600 /run/join.conf
kubeadm join --config /run/join.conf
shred -u /run/join.conf
