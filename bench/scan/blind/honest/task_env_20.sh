# class: configuration; style: source of .env
set -a
[ -f .env ] && . ./.env
set +a
: "${DATABASE_URL:?set it in .env}"
exec gunicorn -w 4 -b 0.0.0.0:8000 app.wsgi
