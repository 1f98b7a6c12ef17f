"""AGiXT 1.9 as an extension sees it: how extensions are found, described, imported, made and called. Written after
what its Extensions.py and ExtensionsHub.py do (github.com/Josh-XT/AGiXT), in our own words; what has to do with its
database, users and webhooks is left out.

- EXTENSIONS_HUB names sources, separated by commas; an absolute path, or one with ./ or ../ before it, is a directory
  and goes to the front of
  sys.path. Each *.py below it whose name does not begin with __ is one extension; directories tests, .git and
  __pycache__ are passed over.
- Commands and settings are read from the source, without an import: of the class that is named like the file in lower
  case, its constants
  friendly_name and CATEGORY, the parameters of its __init__, and `self.commands = {"Name": self.method}` in it.
- A module that cannot be imported is passed over without a word.
- A command is called on a new instance, made with the injected variables and the agent's settings on top of them.
  Arguments that the model left
  out are None, others are converted after the annotation. The conversation's directory is named, not made.
"""
import ast
import hashlib
import importlib.util
import inspect
import os
import sys
import types

SKIPPED = {"__pycache__", "tests", ".git"}


class Extensions:
    """What `from Extensions import Extensions` gives."""

    webhook_events = []


def hub_directories(text):
    found = []
    for source in (part.strip() for part in text.split(",")):
        if source.startswith(("/", "./", "../")) and os.path.isdir(source):
            found.append(os.path.abspath(source))
    return found


def extension_files(directories):
    for top in directories:
        for place, below, files in os.walk(top):
            below[:] = [d for d in below if d not in SKIPPED]
            yield from (os.path.join(place, f) for f in files if f.endswith(".py") and not f.startswith("__"))


def described(path):
    """(class name, friendly name, category, settings, {command: (method, parameters, docstring)}), or None: no
    extension."""
    name = os.path.basename(path)[:-3].lower()
    with open(path, encoding="utf-8") as f:
        classes = [n for n in ast.walk(ast.parse(f.read())) if isinstance(n, ast.ClassDef) and n.name == name]
    if not classes:
        return None
    body = classes[0].body
    constants = {
        t.id: n.value.value
        for n in body
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant)
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    init = [n for n in body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    settings, commands = [], {}
    for n in init[:1]:
        settings = [a.arg for a in n.args.args + n.args.kwonlyargs if a.arg not in ("self", "kwargs")]
        for statement in ast.walk(n):
            if (
                isinstance(statement, ast.Assign)
                and isinstance(statement.value, ast.Dict)
                and any(ast.unparse(t) == "self.commands" for t in statement.targets)
            ):
                commands.update(
                    {
                        k.value: v.attr
                        for k, v in zip(statement.value.keys, statement.value.values)
                        if isinstance(k, ast.Constant) and isinstance(v, ast.Attribute)
                    }
                )
    methods = {n.name: n for n in body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    return (
        name,
        constants.get("friendly_name"),
        constants.get("CATEGORY", "Automation"),
        settings,
        {
            command: (
                method,
                [a.arg for a in methods[method].args.args if a.arg != "self"] if method in methods else [],
                ast.get_docstring(methods[method]) if method in methods else None,
            )
            for command, method in commands.items()
        },
    )


def imported(path):
    spec = importlib.util.spec_from_file_location(
        os.path.relpath(path, ".").replace(os.sep, ".").replace(".py", ""), path
    )
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception:
        return None
    return module


def converted(value, annotation):
    if value is None or annotation is inspect.Parameter.empty or type(value) is annotation:
        return value
    try:
        return (
            int(float(value)) if annotation is int and isinstance(value, str) and "." in value else annotation(value)
        )
    except (TypeError, ValueError):
        return value


class Installation:
    """One that runs in `directory` (its WORKSPACE is below), with its own extensions and those of EXTENSIONS_HUB."""

    def __init__(self, directory, hub, own=()):
        self.directory = str(directory)
        self.settings = {}
        module = types.ModuleType("Extensions")
        module.Extensions = Extensions
        sys.modules["Extensions"] = module
        self.added = [d for d in hub_directories(hub) if d not in sys.path]
        sys.path[:0] = self.added
        self.files = [*own, *extension_files(hub_directories(hub))]
        self.known = {path: found for path, found in ((p, described(p)) for p in self.files) if found}

    def close(self):
        sys.modules.pop("Extensions", None)
        for directory in self.added:
            sys.path.remove(directory)

    def workspace(self, agent_id, conversation_id):
        return os.path.join(
            self.directory,
            "WORKSPACE",
            "agent_" + hashlib.sha256(str(agent_id).encode()).hexdigest()[:16],
            conversation_id,
        )

    def commands(self):
        return {
            command: (path, name, *rest)
            for path, (name, _, _, _, found) in self.known.items()
            for command, rest in found.items()
        }

    async def execute(self, command, arguments, agent_id, agent_name, conversation_id="conversation-1"):
        path, name, method, parameters, _ = self.commands()[command]
        module = imported(path)
        if module is None or not issubclass(getattr(module, name), Extensions):
            return None
        injected = {
            "user": "user@localhost",
            "user_id": "1",
            "agent_name": agent_name,
            "command_name": command,
            "conversation_name": "-",
            "conversation_id": conversation_id,
            "agent_id": agent_id,
            "enabled_commands": [],
            "ApiClient": object(),
            "api_key": "",
            "conversation_directory": self.workspace(agent_id, conversation_id),
            "output_url": "http://localhost:7437/outputs/%s/%s/" % (agent_id, conversation_id),
            **self.settings,
        }
        signature = inspect.signature(getattr(getattr(module, name), method)).parameters
        given = {p: converted(arguments.get(p), signature[p].annotation) for p in parameters}
        instance = getattr(module, name)(**injected)
        return await getattr(instance, method)(**given)
