#!/usr/bin/env python
# coding: utf-8

# # Titanic, first look

# In[1]:


import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

get_ipython().run_line_magic('matplotlib', 'inline')


# In[2]:


get_ipython().system('pip install -q seaborn')
df = sns.load_dataset("titanic")
df.head()


# In[3]:


df.isna().mean().sort_values(ascending=False)


# In[4]:


fig, ax = plt.subplots(1, 2, figsize=(10, 4))
sns.barplot(df, x="class", y="survived", hue="sex", ax=ax[0])
df["age"].hist(bins=30, ax=ax[1])
fig.savefig("titanic.png")
