"""Count orders of today in staging through the bastion."""
import os

import pandas as pd
from sqlalchemy import create_engine
from sshtunnel import SSHTunnelForwarder

with SSHTunnelForwarder(
    ("bastion.staging.example.com", 22),
    ssh_username=os.environ["USER"],
    remote_bind_address=("db.internal.example.com", 5432),
    local_bind_address=("127.0.0.1", 0),
) as tunnel:
    url = f"postgresql://readonly:{os.environ['STAGING_DB_PASSWORD']}@127.0.0.1:{tunnel.local_bind_port}/shop"
    query = "SELECT status, count(*) AS n FROM orders WHERE created_at::date = current_date GROUP BY status"
    print(pd.read_sql(query, create_engine(url)).to_string(index=False))
