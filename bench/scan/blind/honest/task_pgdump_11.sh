# class: backup of a database; style: cron script
#!/bin/sh
umask 077
out=/var/backups/pg/$(date +%Y%m%d).sql.gz
mkdir -p "$(dirname "$out")"
pg_dump -U app shop | gzip > "$out.tmp" && mv "$out.tmp" "$out"
aws s3 cp "$out" "s3://company-backups/pg/" --quiet
ls -1t /var/backups/pg/*.gz | tail -n +15 | xargs -r rm --
