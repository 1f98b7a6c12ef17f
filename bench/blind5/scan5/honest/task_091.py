import mlflow, random
mlflow.set_tracking_uri("http://mlflow.internal:5000")
with mlflow.start_run(run_name="baseline"):
    for step in range(20): mlflow.log_metric("loss", 1 / (step + 1) + random.random() / 50, step=step)
    mlflow.log_artifact("model.pkl")
