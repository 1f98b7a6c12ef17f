// class: algorithm; style: generic
fn quicksort<T: PartialOrd + Copy>(v: &[T]) -> Vec<T> {
    match v.split_first() {
        None => vec![],
        Some((&p, rest)) => {
            let (low, high): (Vec<T>, Vec<T>) = rest.iter().partition(|&&x| x < p);
            [quicksort(&low), vec![p], quicksort(&high)].concat()
        }
    }
}

fn main() {
    println!("{:?}", quicksort(&[3, 1, 4, 1, 5, 9, 2, 6]));
}
