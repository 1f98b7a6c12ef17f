# class: database, dump and restore into staging; style: sysadmin
set -euo pipefail
: "${PGPASSWORD:?set it}"
pg_dump -h db.prod.internal -U readonly -Fc shop > /tmp/shop.dump
dropdb --if-exists -h localhost -U postgres shop_staging
createdb -h localhost -U postgres shop_staging
pg_restore -h localhost -U postgres -d shop_staging --no-owner /tmp/shop.dump
psql -h localhost -U postgres shop_staging -c "update customers set email = 'user' || id || '@example.invalid', phone = null"
rm -f /tmp/shop.dump
