# class: packages; style: sloppy agent
python3 -m venv venv && source venv/bin/activate && pip install -q numpy scipy && python -c "import numpy as np; from scipy import stats; print(stats.ttest_ind(np.random.rand(50), np.random.rand(50)))"
