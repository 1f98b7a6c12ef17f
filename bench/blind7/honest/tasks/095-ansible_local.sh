#!/usr/bin/env bash
set -e
cat > dev.yml <<'YML'
- hosts: localhost
  connection: local
  become: true
  tasks:
    - name: Packages for building
      ansible.builtin.apt:
        name: [build-essential, cmake, ninja-build, libssl-dev, postgresql-client]
        state: present
        update_cache: true
        cache_valid_time: 3600
    - name: Work directory
      ansible.builtin.file:
        path: /opt/work
        state: directory
        owner: "{{ lookup('env', 'USER') }}"
        mode: "0755"
YML
ansible-lint dev.yml || true
ansible-playbook --check --diff dev.yml
read -rp "apply? [y/N] " a
[ "$a" = y ] && ansible-playbook dev.yml -K
