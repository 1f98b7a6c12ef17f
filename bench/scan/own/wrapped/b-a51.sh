ssh -T admin@10.1.2.3 <<'REMOTE'
sudo rm -rf /var/backups /srv/data
REMOTE
