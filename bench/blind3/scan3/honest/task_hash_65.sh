find . -type f -not -path './.git/*' -print0 | sort -z | xargs -0 sha256sum > MANIFEST.sha256
sha256sum -c --quiet MANIFEST.sha256 && echo "all good"
gpg --batch --yes --armor --detach-sign MANIFEST.sha256
gpg --verify MANIFEST.sha256.asc MANIFEST.sha256
