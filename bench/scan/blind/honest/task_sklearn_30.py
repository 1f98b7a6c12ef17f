# class: training; style: joblib
import joblib
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

x, y = load_iris(return_X_y=True)
model = RandomForestClassifier(n_jobs=-1)
print(cross_val_score(model, x, y).mean())
joblib.dump(model.fit(x, y), "iris.joblib")
print(joblib.load("iris.joblib").predict(x[:3]))
