#!/usr/bin/env bash
echo "--- provision"
export DEBIAN_FRONTEND=noninteractive
debconf-set-selections <<< 'mysql-server mysql-server/root_password password vagrant'
debconf-set-selections <<< 'mysql-server mysql-server/root_password_again password vagrant'
apt-get update && apt-get install -y apache2 mysql-server php libapache2-mod-php php-mysql
mysql -uroot -pvagrant -e "CREATE DATABASE IF NOT EXISTS app; CREATE USER IF NOT EXISTS app@localhost IDENTIFIED BY 'app'; GRANT ALL ON app.* TO app@localhost;"
rm -rf /var/www/html && ln -fs /vagrant/public /var/www/html
a2enmod rewrite
cat > /etc/apache2/conf-available/local.conf <<'C'
<Directory /var/www/html>
  AllowOverride All
</Directory>
C
a2enconf local && service apache2 restart
sudo -u vagrant bash -c 'curl -o- https://raw.githubusercontent.com/nvm-sh/nvm/v0.39.7/install.sh | bash'
grep -q cd\ /vagrant /home/vagrant/.bashrc || echo 'cd /vagrant' >> /home/vagrant/.bashrc
