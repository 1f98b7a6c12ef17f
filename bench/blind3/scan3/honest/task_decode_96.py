import base64
import gzip
import json
import sys

for part in sys.argv[1].split(".")[:2]:
    print(json.dumps(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))), indent=1))
state = base64.b64decode("H4sIAAAAAAACA6tWSk7NySlWslKINtRRMNJRMI7VUVAqySzJSQWKKRUnlqWmKJRlppYrAYXTMnNKUotAiquVkvNL80qKKkGKXFyVamu5AJAJgRNKAAAA")
print(json.loads(gzip.decompress(state))["title"])
