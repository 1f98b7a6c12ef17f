// Merge sort, iterative, stable.
function mergeSort(list, cmp = (a, b) => a - b) {
  let src = list.slice();
  let dst = new Array(src.length);
  for (let w = 1; w < src.length; w *= 2) {
    for (let lo = 0; lo < src.length; lo += 2 * w) {
      const mid = Math.min(lo + w, src.length);
      const hi = Math.min(lo + 2 * w, src.length);
      let i = lo, j = mid, k = lo;
      while (i < mid && j < hi) dst[k++] = cmp(src[j], src[i]) < 0 ? src[j++] : src[i++];
      while (i < mid) dst[k++] = src[i++];
      while (j < hi) dst[k++] = src[j++];
    }
    [src, dst] = [dst, src];
  }
  return src;
}

const people = [['Mia', 30], ['Tom', 25], ['Ana', 30], ['Leo', 25]];
console.log(mergeSort(people, (a, b) => a[1] - b[1]).map((p) => p[0]).join(' '));

const big = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1009);
const s = mergeSort(big);
console.assert(s.every((v, i) => i === 0 || s[i - 1] <= v));
