cat > site.yml <<'EOF'
- hosts: web
  become: true
  tasks:
    - name: packages
      apt: { name: [nginx, python3-venv], state: present, update_cache: true }
    - name: rotate
      shell: find /var/log/nginx -name '*.gz' -mtime +30 -delete
    - name: reload
      command: systemctl reload nginx
EOF
ansible-playbook -i inventory site.yml
ansible web -m shell -a 'uptime && free -m'
