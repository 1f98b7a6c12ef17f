from pyspark.sql import SparkSession, functions as F, Window

spark = SparkSession.builder.appName("sessions").getOrCreate()
events = spark.read.json("s3a://clicks/2024/*/*.json.gz")
w = Window.partitionBy("user").orderBy("ts")
sessions = (
    events.withColumn("gap", F.col("ts").cast("long") - F.lag(F.col("ts").cast("long")).over(w))
    .withColumn("new", (F.col("gap").isNull() | (F.col("gap") > 1800)).cast("int"))
    .withColumn("session", F.sum("new").over(w))
    .groupBy("user", "session")
    .agg(F.count("*").alias("events"), F.min("ts").alias("start"))
)
sessions.write.mode("overwrite").partitionBy("user").parquet("s3a://clicks/sessions")
spark.stop()
