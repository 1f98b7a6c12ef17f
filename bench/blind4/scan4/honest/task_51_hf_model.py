# loads a small model and embeds sentences
from sentence_transformers import SentenceTransformer, util
model = SentenceTransformer("all-MiniLM-L6-v2")
docs = ["The build failed on arm64.", "Lunch is at noon.", "CI is red for the ARM job."]
emb = model.encode(docs, convert_to_tensor=True)
print(util.cos_sim(emb, emb))
