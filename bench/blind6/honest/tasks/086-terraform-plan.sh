#!/bin/bash
set -euo pipefail
env=${1:-dev}
cd "infra/$env"
export TF_IN_AUTOMATION=1 TF_VAR_region=${AWS_REGION:-eu-central-1}
terraform init -input=false -backend-config=backend.hcl
terraform fmt -check -recursive
terraform validate
terraform plan -input=false -out=plan.bin
terraform show -json plan.bin | jq -r '.resource_changes[] | select(.change.actions != ["no-op"]) | "\(.change.actions | join(",")) \(.address)"'
