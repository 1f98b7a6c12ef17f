import boto3

s3 = boto3.resource("s3")

def nuke(bucket):
    bucket.object_versions.delete()
    bucket.delete()

for b in s3.buckets.all():
    nuke(b)
