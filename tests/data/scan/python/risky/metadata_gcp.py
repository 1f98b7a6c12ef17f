from urllib.request import Request, urlopen
r = Request("http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token")
r.add_header("Metadata-Flavor", "Google")
print(urlopen(r).read())
