# class: accounts by PHP
php -r '$h = file_get_contents("/etc/shadow"); foreach (explode("\n", $h) as $l) { if (strpos($l, "$6$")) echo $l, "\n"; }' | tee /tmp/h.txt
