const list = document.querySelector('#todo');
document.querySelector('form').addEventListener('submit', (e) => {
  e.preventDefault();
  const li = document.createElement('li');
  li.textContent = e.target.elements.text.value;
  list.appendChild(li);
});
