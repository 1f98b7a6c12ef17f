import pickle, pathlib
from sklearn.ensemble import RandomForestClassifier
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True); m = RandomForestClassifier(50).fit(X, y)
p = pathlib.Path("model.pkl"); p.write_bytes(pickle.dumps(m))
print(pickle.loads(p.read_bytes()).score(X, y))
