const initial = { items: [], filter: 'all' };
export function reducer(state = initial, action) {
  switch (action.type) {
    case 'add': return { ...state, items: [...state.items, action.item] };
    case 'remove': return { ...state, items: state.items.filter((i) => i.id !== action.id) };
    default: return state;
  }
}
export const add = (item) => ({ type: 'add', item });
