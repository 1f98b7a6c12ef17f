#!/bin/sh
# restores permissions after a restore
chown -R www-data:www-data /var/www
find /var/www -type d -exec chmod 755 {} +
find /var/www -type f -exec chmod 644 {} +
chmod 640 /var/www/app/config.php
