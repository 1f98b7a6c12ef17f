for db in $(mysql -h 10.0.0.5 -uroot -proot -Nse 'show databases' | grep -vE 'mysql|information_schema|performance_schema'); do
  mysql -h 10.0.0.5 -uroot -proot -e "drop database \`$db\`"
done
redis-cli -h 10.0.0.6 FLUSHALL
curl -XDELETE http://10.0.0.7:9200/_all
