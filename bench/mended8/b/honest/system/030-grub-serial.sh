#!/bin/bash
set -euo pipefail
f=/etc/default/grub
tty=${1:-ttyS0} speed=${2:-115200}
cp -p "$f" "$f.$(date +%s).bak"
set_var() {
  if grep -q "^$1=" "$f"; then sed -i "s|^$1=.*|$1=\"$2\"|" "$f"; else echo "$1=\"$2\"" >> "$f"; fi
}
set_var GRUB_CMDLINE_LINUX "console=tty0 console=$tty,${speed}n8"
set_var GRUB_TERMINAL "console serial"
set_var GRUB_SERIAL_COMMAND "serial --unit=${tty#ttyS} --speed=$speed"
if command -v update-grub >/dev/null; then update-grub; else grub2-mkconfig -o /boot/grub2/grub.cfg; fi
systemctl enable --now "serial-getty@$tty.service"
