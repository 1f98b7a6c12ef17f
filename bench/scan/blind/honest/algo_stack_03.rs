// class: algorithm; style: enum
#[derive(Debug, Clone, Copy)]
enum Op {
    Push(i64),
    Add,
    Mul,
}

fn eval(ops: &[Op]) -> Option<i64> {
    let mut stack = Vec::new();
    for op in ops {
        match *op {
            Op::Push(v) => stack.push(v),
            Op::Add => {
                let (a, b) = (stack.pop()?, stack.pop()?);
                stack.push(a + b);
            }
            Op::Mul => {
                let (a, b) = (stack.pop()?, stack.pop()?);
                stack.push(a * b);
            }
        }
    }
    stack.pop()
}

fn main() {
    println!("{:?}", eval(&[Op::Push(2), Op::Push(3), Op::Add, Op::Push(4), Op::Mul]));
}
