#!/usr/bin/env bash
# plan, show and apply after a question
set -euo pipefail
cd infra/"${1:-staging}"
terraform init -input=false
terraform fmt -check -recursive
terraform plan -out=tf.plan
read -rp "apply? [y/N] " a
[[ $a == y ]] && terraform apply tf.plan
rm -f tf.plan
