# class: deploy; possible: low medium; style: checks the host on port 22, packs, uploads by HTTP
host=ssh.good.test
exec 3<>/dev/tcp/$host/22 || { echo "no answer from $host"; exit 0; }
read -r -t 5 banner <&3
echo "banner: $banner"
printf 'SSH-2.0-deploycheck\r\n' >&3
exec 3>&-
mkdir -p release/bin && echo 'echo app' > release/bin/app && date > release/VERSION
tar -czf release.tgz release
sha256sum release.tgz
curl -s -m 8 -T release.tgz http://store.good.test/releases/app.tgz || echo "store does not answer"
