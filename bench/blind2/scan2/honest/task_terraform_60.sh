# class: CI; style: terse
cd infra/prod && terraform init -input=false && terraform fmt -check && terraform validate
terraform plan -input=false -out=tf.plan -detailed-exitcode; rc=$?
[ $rc -eq 2 ] && terraform show -no-color tf.plan > plan.txt && gh pr comment "$PR" --body-file plan.txt
exit 0
