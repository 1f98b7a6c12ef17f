# class: network, deploy; style: Makefile-like
rsync -az --delete --exclude .git --exclude .env ./ deploy@web1.example.com:/srv/www/
ssh deploy@web1.example.com 'cd /srv/www && composer install --no-dev && php artisan migrate --force && sudo systemctl reload php8.2-fpm'
