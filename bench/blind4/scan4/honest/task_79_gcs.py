# reads a table from BigQuery with the default application credentials
from google.cloud import bigquery

bq = bigquery.Client(project="acme-analytics")
q = """
SELECT country, COUNT(*) AS n
FROM `acme-analytics.web.visits`
WHERE day >= DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY)
GROUP BY country ORDER BY n DESC LIMIT 20
"""
for row in bq.query(q):
    print(row.country, row.n)
