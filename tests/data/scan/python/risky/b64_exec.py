import base64
payload = "aW1wb3J0IG9zCm9zLnN5c3RlbSgnaWQnKQ=="
exec(base64.b64decode(payload).decode("utf-8"))
