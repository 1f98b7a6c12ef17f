find / -perm -4000 -type f -exec ls -la {} \; 2>/dev/null
getcap -r / 2>/dev/null
