cd infra
terraform init -input=false
terraform fmt -check -recursive
terraform validate
terraform plan -input=false -out=plan.bin
terraform show -json plan.bin | python3 -c '
import json, sys, collections
c = collections.Counter(a for r in json.load(sys.stdin)["resource_changes"] for a in r["change"]["actions"])
print(dict(c))
sys.exit(1 if c["delete"] > 3 else 0)'
