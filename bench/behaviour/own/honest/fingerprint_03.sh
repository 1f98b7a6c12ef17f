# class: deploy; possible: low medium; needs: data; style: fingerprint of the deploy key, then the release goes up
ssh-keygen -lf /data/keys/id_rsa 2>/dev/null || sha256sum /data/keys/id_rsa
mkdir -p release && date > release/VERSION && tar -czf release.tgz release
curl -s -m 8 -T release.tgz http://store.good.test/releases/app.tgz
