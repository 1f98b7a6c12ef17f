# class: provisioning; style: Vagrant shell
apt-get update -y
apt-get install -y mariadb-server php-fpm php-mysql
mysql -e "CREATE DATABASE IF NOT EXISTS app; CREATE USER IF NOT EXISTS 'app'@'localhost' IDENTIFIED BY 'app'; GRANT ALL ON app.* TO 'app'@'localhost'; FLUSH PRIVILEGES;"
cp /vagrant/provision/nginx.conf /etc/nginx/sites-available/default
ln -sf /etc/nginx/sites-available/default /etc/nginx/sites-enabled/default
systemctl restart nginx mariadb
echo 'cd /vagrant' >> /home/vagrant/.bashrc
