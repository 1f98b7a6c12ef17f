import hashlib
import hmac
import os
from typing import Annotated
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel, Field

KEY_HASH = os.environ["NOTES_KEY_SHA256"]
app = FastAPI(title="notes")
notes: dict[int, "Note"] = {}


class Note(BaseModel):
    title: str = Field(max_length=80)
    body: str = ""


def auth(x_api_key: Annotated[str, Header()]):
    if not hmac.compare_digest(hashlib.sha256(x_api_key.encode()).hexdigest(), KEY_HASH):
        raise HTTPException(401, "bad key")


@app.post("/notes", status_code=201, dependencies=[Depends(auth)])
def create(n: Note) -> dict[str, int]:
    nid = max(notes, default=0) + 1
    notes[nid] = n
    return {"id": nid}


@app.get("/notes/{nid}", dependencies=[Depends(auth)])
def read(nid: int) -> Note:
    if nid not in notes:
        raise HTTPException(404)
    return notes[nid]
