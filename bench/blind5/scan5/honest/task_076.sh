ab -n 500 -c 10 http://127.0.0.1:8000/ | grep -E 'Requests per second|Failed'
hey -z 10s http://localhost:8000/api/items
