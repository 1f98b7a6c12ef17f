# class: deployment; style: infrastructure
export AWS_PROFILE=staging
terraform init -input=false
terraform plan -out=tf.plan -input=false
terraform apply -input=false tf.plan
aws ecs wait services-stable --cluster main --services web
