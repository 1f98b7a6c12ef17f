#!/bin/sh
# git bisect run helper: build, boot in qemu, look for the marker
# usage: git bisect run ../bisect.sh
set -e
J=$(nproc)
make -s olddefconfig || exit 125
make -s -j"$J" bzImage >build.log 2>&1 || exit 125

timeout 120 qemu-system-x86_64 -enable-kvm -m 1G -smp 2 -nographic -no-reboot \
	-kernel arch/x86/boot/bzImage -initrd ../initrd.img \
	-append "console=ttyS0 panic=-1 init=/selftest" >boot.log 2>&1 || true

if grep -q 'SELFTEST: pass' boot.log; then
	exit 0
fi
if grep -qE 'BUG:|Oops|Kernel panic' boot.log; then
	grep -m1 -A12 -E 'BUG:|Oops|panic' boot.log
	exit 1
fi
exit 125
