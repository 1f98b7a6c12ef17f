function quicksort(a) {
  if (a.length < 2) return a;
  const [p, ...rest] = a;
  return [...quicksort(rest.filter((x) => x < p)), p, ...quicksort(rest.filter((x) => x >= p))];
}
console.log(quicksort([5, 3, 9, 1]));
