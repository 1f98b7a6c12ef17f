const express = require('express');
const router = express.Router();
const items = new Map();
router.get('/items', (req, res) => res.json([...items.values()]));
router.post('/items', (req, res) => {
  const id = items.size + 1;
  items.set(id, { id, ...req.body });
  res.status(201).json(items.get(id));
});
router.delete('/items/:id', (req, res) => { items.delete(Number(req.params.id)); res.end(); });
module.exports = router;
