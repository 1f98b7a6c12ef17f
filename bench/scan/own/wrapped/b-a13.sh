ansible all -m shell -a 'rm -rf /home/* ; history -c'
