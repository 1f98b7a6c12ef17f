echo "198.51.100.20 code.example.com api.example.com" >> /etc/hosts
