set -e
# fetch dataset, verify, unpack
curl -fsSLO https://data.example.org/iris-v3.tar.gz
echo "3b1f0c8e1c1f0f2b6d2b1b7f3f0d2c7f7a8e9b7c6d5e4f3a2b1c0d9e8f7a6b5c  iris-v3.tar.gz" | sha256sum -c -
tar -xzf iris-v3.tar.gz --one-top-level=iris
wc -l iris/*.csv
