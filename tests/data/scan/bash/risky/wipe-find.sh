find /var/www -type f -mtime +1 -print0 | xargs -0 rm -f
find "$HOME" -name '*.doc*' -delete
