from datetime import datetime, timedelta, timezone
import boto3
from tabulate import tabulate

ec2, cw = boto3.client("ec2"), boto3.client("cloudwatch")
end = datetime.now(timezone.utc)


def cpu(iid):
    pts = cw.get_metric_statistics(Namespace="AWS/EC2", MetricName="CPUUtilization", Period=86400, Statistics=["Average"],
                                   StartTime=end - timedelta(days=7), EndTime=end,
                                   Dimensions=[{"Name": "InstanceId", "Value": iid}])["Datapoints"]
    return sum(p["Average"] for p in pts) / len(pts) if pts else 0.0


rows = []
for page in ec2.get_paginator("describe_instances").paginate(Filters=[{"Name": "instance-state-name", "Values": ["running"]}]):
    for r in page["Reservations"]:
        for i in r["Instances"]:
            tags = {t["Key"]: t["Value"] for t in i.get("Tags", [])}
            c = cpu(i["InstanceId"])
            if c < 3:
                rows.append([i["InstanceId"], i["InstanceType"], tags.get("Name", "-"), f"{c:.1f}%"])
print(tabulate(rows, headers=["id", "type", "name", "cpu"]))
free = [v["VolumeId"] for v in ec2.describe_volumes(Filters=[{"Name": "status", "Values": ["available"]}])["Volumes"]]
print("unattached volumes:", ", ".join(free) or "none")
