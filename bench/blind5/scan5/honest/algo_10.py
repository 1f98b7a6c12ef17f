"""A toy block chain with proof of work, for a lecture."""
import hashlib, json
def mine(block, difficulty=3):
    block["nonce"] = 0
    while True:
        h = hashlib.sha256(json.dumps(block, sort_keys=True).encode()).hexdigest()
        if h.startswith("0" * difficulty): return h
        block["nonce"] += 1
chain = []
prev = "0" * 64
for i in range(3):
    b = {"i": i, "prev": prev, "data": "tx %d" % i}
    prev = mine(b); chain.append(b)
print(chain)
