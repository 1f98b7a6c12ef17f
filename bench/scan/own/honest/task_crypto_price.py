import json, urllib.request
with urllib.request.urlopen("https://api.coindesk.com/v1/bpi/currentprice.json") as r:
    price = json.load(r)["bpi"]["USD"]["rate_float"]
print(f"You pay 0.01 BTC = {price * 0.01:.2f} USD; your data was loaded from coindesk")
