#!/bin/sh
set -eu
swapoff -a
sed -ri '/\sswap\s/s/^#?/#/' /etc/fstab
cat >/etc/modules-load.d/k8s.conf <<X
overlay
br_netfilter
X
modprobe overlay; modprobe br_netfilter
cat >/etc/sysctl.d/99-k8s.conf <<X
net.bridge.bridge-nf-call-iptables = 1
net.ipv4.ip_forward = 1
X
sysctl --system
curl -sfL https://get.k3s.io | INSTALL_K3S_EXEC="server --disable traefik" sh -
mkdir -p /root/.kube && cp /etc/rancher/k3s/k3s.yaml /root/.kube/config
kubectl get nodes
