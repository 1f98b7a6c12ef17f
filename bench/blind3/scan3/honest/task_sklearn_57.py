import joblib
from sklearn.compose import ColumnTransformer
from sklearn.datasets import fetch_openml
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import RandomizedSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

X, y = fetch_openml("adult", version=2, as_frame=True, return_X_y=True)
cat = X.select_dtypes("category").columns
pre = ColumnTransformer([("c", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), cat)], remainder="passthrough")
pipe = make_pipeline(pre, HistGradientBoostingClassifier())
Xa, Xb, ya, yb = train_test_split(X, y, random_state=0, stratify=y)
search = RandomizedSearchCV(pipe, {"histgradientboostingclassifier__learning_rate": [0.03, 0.1, 0.3]}, n_iter=3, cv=3, n_jobs=2)
search.fit(Xa, ya)
print(search.best_params_, search.score(Xb, yb))
joblib.dump(search.best_estimator_, "adult.joblib")
