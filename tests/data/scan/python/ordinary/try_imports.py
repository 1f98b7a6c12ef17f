try:
    import ujson as json
except ImportError:
    import json
try:
    import numpy as np
except ImportError:
    np = None
print(json.dumps({"np": np is not None}))
