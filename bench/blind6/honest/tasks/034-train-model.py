from pathlib import Path
import joblib
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import classification_report
from sklearn.model_selection import GridSearchCV, train_test_split

X, y = load_breast_cancer(return_X_y=True)
xa, xb, ya, yb = train_test_split(X, y, stratify=y, random_state=0)
gs = GridSearchCV(RandomForestClassifier(random_state=0), {"n_estimators": [50, 200], "max_depth": [None, 5]}, n_jobs=2)
gs.fit(xa, ya)
print(gs.best_params_)
print(classification_report(yb, gs.predict(xb)))
Path("models").mkdir(exist_ok=True)
joblib.dump(gs.best_estimator_, "models/rf.joblib")
