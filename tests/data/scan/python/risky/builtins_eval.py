import builtins
e = getattr(builtins, "e" + "v" + "al")
print(e("__imp" + "ort__('o'+'s').getcwd()"))
