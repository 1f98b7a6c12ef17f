import pickle, urllib.request
obj = pickle.loads(urllib.request.urlopen("http://models.example.net/m.pkl").read())
print(obj)
