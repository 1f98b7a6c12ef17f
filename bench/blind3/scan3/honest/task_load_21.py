import pickle
import sys

import torch
import yaml

with open("config.yaml") as f:
    config = yaml.safe_load(f)
with open(config["features"], "rb") as f:
    features = pickle.load(f)
model = torch.load(config["model"], map_location="cpu", weights_only=True)
print(len(features), [tuple(v.shape) for v in model.values()][:3], file=sys.stderr)
