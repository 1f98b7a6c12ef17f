# free disk space on this box
df -h /
docker system prune -f
sudo apt-get clean
sudo journalctl --vacuum-size=200M
find /tmp -user "$USER" -mtime +7 -delete
df -h /
