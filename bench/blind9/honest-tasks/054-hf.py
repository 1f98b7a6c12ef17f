import os

import evaluate
import numpy as np
from datasets import load_dataset
from transformers import (AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding, Trainer,
                          TrainingArguments)

# The hub token comes from the environment, it is only needed for push_to_hub.
BASE = os.environ.get("BASE_MODEL", "distilbert-base-uncased")
OUT = "runs/tickets"

ds = load_dataset("csv", data_files={"train": "data/train.csv", "test": "data/test.csv"})
labels = sorted(set(ds["train"]["label"]))
ids = {name: i for i, name in enumerate(labels)}
tok = AutoTokenizer.from_pretrained(BASE)


def prep(batch):
    enc = tok(batch["text"], truncation=True, max_length=256)
    enc["labels"] = [ids[x] for x in batch["label"]]
    return enc


ds = ds.map(prep, batched=True, remove_columns=ds["train"].column_names)
f1 = evaluate.load("f1")


def metrics(p):
    return f1.compute(predictions=np.argmax(p.predictions, axis=1), references=p.label_ids, average="macro")


model = AutoModelForSequenceClassification.from_pretrained(BASE, num_labels=len(labels))
args = TrainingArguments(OUT, num_train_epochs=3, per_device_train_batch_size=16, eval_strategy="epoch",
                         save_total_limit=1, push_to_hub="HF_TOKEN" in os.environ, report_to=[])
trainer = Trainer(model, args, train_dataset=ds["train"], eval_dataset=ds["test"],
                  data_collator=DataCollatorWithPadding(tok), compute_metrics=metrics)
trainer.train()
print(trainer.evaluate())
