terraform init -input=false
terraform plan -out=tf.plan
terraform show -json tf.plan | jq '.resource_changes[] | {address, actions: .change.actions}'
