# class: data, notebook export; style: Jupyter nbconvert
#!/usr/bin/env python
# coding: utf-8

# # Churn analysis

# In[1]:


import pandas as pd
import matplotlib.pyplot as plt
get_ipython().run_line_magic('matplotlib', 'inline')


# In[2]:


get_ipython().system('pip install -q seaborn')
df = pd.read_csv('data/churn.csv')
df.head()


# In[3]:


df.isna().sum()
df['tenure_bucket'] = pd.cut(df.tenure, [0, 6, 12, 24, 72])
df.groupby('tenure_bucket').churn.mean().plot.bar()
plt.savefig('figures/churn.png', dpi=120)


# In[4]:


get_ipython().system('ls -la figures && du -sh data')
