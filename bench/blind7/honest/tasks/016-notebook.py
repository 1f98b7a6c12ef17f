import nbformat as nbf
import subprocess

nb = nbf.v4.new_notebook()
nb["cells"] = [
    nbf.v4.new_markdown_cell("# Iris overview"),
    nbf.v4.new_code_cell("from sklearn.datasets import load_iris\nimport pandas as pd\niris = load_iris(as_frame=True)\ndf = iris.frame\ndf.describe()"),
    nbf.v4.new_code_cell("%matplotlib inline\ndf.hist(figsize=(8, 6));"),
    nbf.v4.new_code_cell("!python --version\n!pip list 2>/dev/null | grep -i -E 'pandas|scikit'"),
]
nbf.write(nb, "iris.ipynb")
subprocess.run(["jupyter", "nbconvert", "--to", "html", "--execute", "iris.ipynb"], check=True)
