# what: reads its project's .env and calls the server that this is for
# server: http
# volume: .env
import http.client, os

with open("/data/.env") as f:
    token = f.readline().split()[-1]
c = http.client.HTTPConnection(os.environ["SERVER"], timeout=20)
for _ in range(3):
    c.request("POST", "/v1/items", body=b'{"name": "x"}', headers={"Authorization": "Bearer " + token[:20]})
    assert c.getresponse().read() == b"thanks"
print("done")
