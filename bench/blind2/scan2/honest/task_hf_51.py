# class: data work, downloads a model; style: agent one-off
import os
os.environ["HF_HOME"] = "/workspace/.hf"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
from huggingface_hub import snapshot_download
path = snapshot_download("sentence-transformers/all-MiniLM-L6-v2", allow_patterns=["*.json", "*.safetensors", "*.txt"])
from sentence_transformers import SentenceTransformer
m = SentenceTransformer(path)
e = m.encode(["cat", "kitten", "car"])
print((e @ e.T).round(2))
