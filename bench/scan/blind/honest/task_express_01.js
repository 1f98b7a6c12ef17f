// class: server; style: express
const express = require('express');
const app = express();
app.use(express.json());
const todos = [];
app.get('/todos', (req, res) => res.json(todos));
app.post('/todos', (req, res) => {
  todos.push({ id: todos.length + 1, ...req.body });
  res.status(201).json(todos.at(-1));
});
app.listen(process.env.PORT || 3000);
