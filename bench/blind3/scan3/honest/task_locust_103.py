import random

from locust import HttpUser, between, task


class Shopper(HttpUser):
    wait_time = between(0.5, 2)
    host = "http://staging.internal:8080"

    def on_start(self):
        self.client.post("/login", json={"user": "load%d" % random.randrange(100), "password": "load"})

    @task(5)
    def browse(self):
        self.client.get("/products?page=%d" % random.randint(1, 20), name="/products")

    @task
    def buy(self):
        self.client.post("/cart", json={"sku": random.randint(1, 500), "n": 1})
