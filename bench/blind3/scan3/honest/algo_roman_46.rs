use std::collections::BTreeMap;

fn roman(mut n: u32) -> String {
    let table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")];
    let mut out = String::new();
    for (value, text) in table {
        while n >= value {
            out.push_str(text);
            n -= value;
        }
    }
    out
}

fn main() {
    let mut lengths: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for n in 1..=100 {
        lengths.entry(roman(n).len()).or_default().push(n);
    }
    for (len, all) in &lengths {
        println!("{len}: {all:?}");
    }
}
