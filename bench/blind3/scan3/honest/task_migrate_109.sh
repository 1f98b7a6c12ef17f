cd /srv/shop
php artisan down
mysqldump --single-transaction shop | gzip > "backup-$(date +%F).sql.gz"
git pull --ff-only
composer install --no-dev -o
php artisan migrate --force
php artisan config:cache
sudo systemctl restart php8.2-fpm
php artisan up
