import joblib
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import TimeSeriesSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

df = pd.read_parquet("demand.parquet").sort_values("date")
y = df.pop("units")
X = df.assign(dow=df.date.dt.dayofweek, month=df.date.dt.month).drop(columns="date")

model = make_pipeline(
    ColumnTransformer(
        [("cat", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), ["store", "sku"])],
        remainder="passthrough",
    ),
    HistGradientBoostingRegressor(max_iter=300),
)

for tr, te in TimeSeriesSplit(4).split(X):
    model.fit(X.iloc[tr], y.iloc[tr])
    print("MAE", mean_absolute_error(y.iloc[te], model.predict(X.iloc[te])))

joblib.dump(model, "model.joblib")
