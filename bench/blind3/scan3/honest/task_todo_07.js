import express from "express";
import { randomUUID } from "node:crypto";

const app = express();
app.use(express.json());
const items = new Map();
app.get("/todos", (req, res) => res.json([...items.values()]));
app.post("/todos", (req, res) => {
  const item = { id: randomUUID(), text: String(req.body.text), done: false };
  items.set(item.id, item);
  res.status(201).json(item);
});
app.patch("/todos/:id", (req, res) => {
  const item = items.get(req.params.id);
  if (!item) return res.sendStatus(404);
  res.json(Object.assign(item, { done: Boolean(req.body.done) }));
});
app.delete("/todos/:id", (req, res) => res.sendStatus(items.delete(req.params.id) ? 204 : 404));
app.listen(process.env.PORT || 3000, () => console.log("listening"));
