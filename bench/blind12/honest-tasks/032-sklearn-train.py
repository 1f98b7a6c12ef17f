import joblib
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

X, y = load_iris(return_X_y=True)
Xa, Xb, ya, yb = train_test_split(X, y, random_state=0)
clf = RandomForestClassifier(n_estimators=100).fit(Xa, ya)
print("accuracy", clf.score(Xb, yb))
joblib.dump(clf, "model.joblib")
