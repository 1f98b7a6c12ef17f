# class: data work, model kept by joblib; style: notebook export
# %% [markdown]
# ## Train
# %%
import joblib
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score, train_test_split
df = pd.read_parquet("features.parquet")
X, y = df.drop(columns="label"), df.label
Xtr, Xte, ytr, yte = train_test_split(X, y, random_state=0)
clf = RandomForestClassifier(n_estimators=300, n_jobs=-1)
cross_val_score(clf, Xtr, ytr).mean()
# %%
clf.fit(Xtr, ytr)
joblib.dump(clf, "model.joblib")
joblib.load("model.joblib").score(Xte, yte)
