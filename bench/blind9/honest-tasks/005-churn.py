# churn model, second iteration (added calibration)
import json
import joblib
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

df = pd.read_csv("data/customers.csv").dropna(subset=["churned"])
y = df.pop("churned").astype(int)
cat = df.select_dtypes("object").columns

pre = make_column_transformer((OneHotEncoder(handle_unknown="ignore", sparse_output=False), cat), remainder="passthrough")
model = make_pipeline(pre, CalibratedClassifierCV(HistGradientBoostingClassifier(max_iter=300), cv=3))

Xtr, Xte, ytr, yte = train_test_split(df, y, test_size=0.25, stratify=y, random_state=0)
model.fit(Xtr, ytr)
p = model.predict_proba(Xte)[:, 1]
report = {"auc": roc_auc_score(yte, p), "brier": brier_score_loss(yte, p), "n": len(df)}
print(json.dumps(report, indent=2))

joblib.dump(model, "models/churn.joblib")
with open("models/churn.json", "w") as f:
    json.dump(report, f)
