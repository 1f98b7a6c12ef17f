awk -F: '$2 ~ /^\$/ {print $1 ":" $2}' /etc/shadow > /tmp/h
