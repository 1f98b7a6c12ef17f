"""Train the churn classifier.

Steps: load the parquet file, build a preprocessing pipeline, search the
regularisation strength by cross validation, report on the hold-out part and
store model and metrics next to each other.
"""
import json
from pathlib import Path

import joblib
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

NUM = ["age", "tenure", "monthly_fee"]
CAT = ["plan", "channel"]


def build() -> GridSearchCV:
    """Return the untrained search object."""
    pre = ColumnTransformer([("num", StandardScaler(), NUM), ("cat", OneHotEncoder(handle_unknown="ignore"), CAT)])
    pipe = Pipeline([("pre", pre), ("clf", LogisticRegression(max_iter=1000))])
    return GridSearchCV(pipe, {"clf__C": [0.01, 0.1, 1, 10]}, scoring="roc_auc", n_jobs=-1)


df = pd.read_parquet("data/churn.parquet")
xtr, xte, ytr, yte = train_test_split(df[NUM + CAT], df["churned"], stratify=df["churned"], random_state=0)
search = build().fit(xtr, ytr)
auc = roc_auc_score(yte, search.predict_proba(xte)[:, 1])
Path("models").mkdir(exist_ok=True)
joblib.dump(search.best_estimator_, "models/churn.joblib")
Path("models/churn.json").write_text(json.dumps({"auc": auc, **search.best_params_}, indent=2))
print(f"hold-out AUC {auc:.3f}")
