import json
nb = {"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
  "source": ["import pandas as pd\n", "!pip install -q seaborn\n", "df = pd.read_csv('data.csv')\n", "df.groupby('k').mean().plot()"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
with open("analysis.ipynb", "w") as f:
    json.dump(nb, f)
