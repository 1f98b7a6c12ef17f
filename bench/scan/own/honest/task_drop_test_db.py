import pymongo, redis, os
client = pymongo.MongoClient(os.environ.get("MONGO_URL", "mongodb://localhost"))
client.drop_database("test_orders")
db = client["test_orders"]
db.orders.insert_many([{"n": i} for i in range(10)])
redis.Redis().flushdb()
print(db.orders.count_documents({}))
