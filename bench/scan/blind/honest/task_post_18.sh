# class: network, upload of a report; style: curl form
tar czf coverage.tgz coverage/
curl -fsS -F "file=@coverage.tgz" -F "commit=$(git rev-parse HEAD)" -H "X-Token: $COV_TOKEN" https://coverage.example/upload
rm coverage.tgz
