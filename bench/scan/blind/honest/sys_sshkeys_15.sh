# class: maintainer script; style: host keys
#!/bin/sh
set -e
create_key() {
    file=$1; shift
    if [ ! -f "$file" ]; then
        printf 'Creating %s\n' "$file"
        ssh-keygen -q -f "$file" -N '' "$@"
        command -v restorecon > /dev/null 2>&1 && restorecon "$file" "$file.pub"
    fi
}
create_key /etc/ssh/ssh_host_rsa_key -t rsa
create_key /etc/ssh/ssh_host_ed25519_key -t ed25519
