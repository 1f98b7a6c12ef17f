import locust
class Shopper(locust.HttpUser):
    host = "http://localhost:8000"
    wait_time = locust.between(1, 3)
    @locust.task(3)
    def browse(self): self.client.get("/products")
    @locust.task
    def buy(self): self.client.post("/cart", json={"sku": "A1", "qty": 1})
