from dotenv import load_dotenv
import os, stripe
load_dotenv()
stripe.api_key = os.environ["STRIPE_SECRET_KEY"]
for c in stripe.Customer.list(limit=10).auto_paging_iter():
    print(c.id, c.email)
