const express = require('express');
const app = express();
app.use(express.json());
const todos = [];
app.get('/todos', (req, res) => res.json(todos));
app.post('/todos', (req, res) => { todos.push(req.body); res.status(201).end(); });
app.delete('/todos/:id', (req, res) => { todos.splice(+req.params.id, 1); res.end(); });
app.listen(process.env.PORT || 3000);
