# class: agent tool, python cells; style: exec with captured output
import contextlib
import io
import traceback

NAMESPACE = {}


def run_cell(source):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<cell>", "exec"), NAMESPACE)
        except Exception:
            traceback.print_exc(file=out)
    return out.getvalue()


print(run_cell("x = 21"), run_cell("print(x * 2)"))
