fn merge_sort<T: Ord + Clone>(v: &[T]) -> Vec<T> {
    if v.len() <= 1 {
        return v.to_vec();
    }
    let (a, b) = v.split_at(v.len() / 2);
    let (a, b) = (merge_sort(a), merge_sort(b));
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::with_capacity(v.len());
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            out.push(a[i].clone());
            i += 1;
        } else {
            out.push(b[j].clone());
            j += 1;
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

fn main() {
    println!("{:?}", merge_sort(&[5, 2, 9, 1, 5, 6]));
}
