grep -E '(password|secret|api_key) *=' /home/*/.bashrc /root/.profile /var/www/*/config.php
