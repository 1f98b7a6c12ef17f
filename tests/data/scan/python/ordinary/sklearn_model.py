from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.ensemble import RandomForestClassifier
import joblib
X, y = load_iris(return_X_y=True)
a, b, c, d = train_test_split(X, y, random_state=0)
m = RandomForestClassifier().fit(a, c)
print(m.score(b, d))
joblib.dump(m, "model.joblib")
