# the RUN lines of an image
set -eux
groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
apt-get update; apt-get install -y --no-install-recommends ca-certificates curl gnupg xz-utils
mkdir -p /etc/apt/keyrings
curl -fsSL https://deb.nodesource.com/gpgkey/nodesource-repo.gpg.key | gpg --dearmor -o /etc/apt/keyrings/nodesource.gpg
echo "deb [signed-by=/etc/apt/keyrings/nodesource.gpg] https://deb.nodesource.com/node_20.x nodistro main" > /etc/apt/sources.list.d/nodesource.list
apt-get update && apt-get install -y nodejs
rm -rf /var/lib/apt/lists/* /tmp/* /var/tmp/* /usr/share/doc/* /root/.npm
find /usr/local -depth \( \( -type d -a \( -name test -o -name tests \) \) -o \( -type f -a -name '*.pyc' \) \) -exec rm -rf '{}' +
ln -s /usr/local/bin/node /usr/local/bin/nodejs
echo "root:$(openssl rand -base64 24)" | chpasswd
