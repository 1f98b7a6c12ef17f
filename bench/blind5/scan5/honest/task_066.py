import nbformat, nbclient
nb = nbformat.read("analysis.ipynb", 4)
nbclient.NotebookClient(nb, timeout=600, kernel_name="python3").execute()
nbformat.write(nb, "analysis.out.ipynb")
