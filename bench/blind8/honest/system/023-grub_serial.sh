#!/bin/sh
set -e
f=/etc/default/grub
cp -p $f $f.$(date +%s)
set_opt() {
  if grep -q "^$1=" $f; then sed -i "s|^$1=.*|$1=\"$2\"|" $f; else echo "$1=\"$2\"" >> $f; fi
}
set_opt GRUB_TERMINAL "console serial"
set_opt GRUB_SERIAL_COMMAND "serial --unit=0 --speed=115200"
set_opt GRUB_CMDLINE_LINUX "console=tty0 console=ttyS0,115200n8"
if command -v update-grub >/dev/null; then update-grub; else grub2-mkconfig -o /boot/grub2/grub.cfg; fi
systemctl enable serial-getty@ttyS0.service
