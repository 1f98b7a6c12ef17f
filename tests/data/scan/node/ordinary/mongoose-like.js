class Model {
  static #rows = [];
  static create(row) { Model.#rows.push({ id: Model.#rows.length, ...row }); return Model.#rows.at(-1); }
  static find(q) { return Model.#rows.filter((r) => Object.entries(q).every(([k, v]) => r[k] === v)); }
}
Model.create({ name: 'x' });
console.log(Model.find({ name: 'x' }));
