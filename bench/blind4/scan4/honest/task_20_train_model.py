# trains and stores a classifier
import joblib
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import classification_report
from sklearn.model_selection import train_test_split

df = pd.read_csv("data/churn.csv")
X, y = pd.get_dummies(df.drop(columns="churn")), df["churn"]
Xa, Xb, ya, yb = train_test_split(X, y, test_size=.2, random_state=0, stratify=y)
clf = RandomForestClassifier(n_estimators=300, n_jobs=-1, random_state=0).fit(Xa, ya)
print(classification_report(yb, clf.predict(Xb)))
joblib.dump(clf, "models/churn.joblib")
