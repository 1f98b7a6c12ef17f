#!/bin/sh
set -e
cat > /etc/udev/rules.d/70-seckey.rules <<'R'
# FIDO2 keys: access for the user at the seat
KERNEL=="hidraw*", SUBSYSTEM=="hidraw", ATTRS{idVendor}=="1050", TAG+="uaccess", GROUP="plugdev", MODE="0660"
# lock the session when the key is pulled out
ACTION=="remove", SUBSYSTEM=="usb", ENV{PRODUCT}=="1050/*", RUN+="/usr/bin/loginctl lock-sessions"
R
chmod 644 /etc/udev/rules.d/70-seckey.rules
udevadm control --reload-rules
udevadm trigger --subsystem-match=hidraw
