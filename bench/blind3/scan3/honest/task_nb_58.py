# %% [markdown]
# ## Embeddings of the support tickets

# %%
# !pip install -q sentence-transformers umap-learn

# %%
import json
from pathlib import Path

from sentence_transformers import SentenceTransformer

tickets = [json.loads(line) for line in Path("tickets.jsonl").open()]
model = SentenceTransformer("all-MiniLM-L6-v2")
vectors = model.encode([t["subject"] + "\n" + t["body"] for t in tickets], show_progress_bar=True)

# %%
import umap

xy = umap.UMAP(random_state=0).fit_transform(vectors)
# %matplotlib inline
import matplotlib.pyplot as plt

plt.scatter(*xy.T, s=3, c=[hash(t["product"]) % 10 for t in tickets])
plt.savefig("tickets.png")
