use std::f64::consts::PI;
use std::fmt;

trait Shape {
    fn area(&self) -> f64;
}
struct Circle(f64);
struct Square(f64);

impl Shape for Circle {
    fn area(&self) -> f64 {
        PI * self.0 * self.0
    }
}
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "circle of {}", self.0)
    }
}

fn main() {
    let all: Vec<Box<dyn Shape>> = vec![Box::new(Circle(1.0)), Box::new(Square(2.0))];
    println!("{:.2} {}", all.iter().map(|s| s.area()).sum::<f64>(), Circle(1.0));
}
