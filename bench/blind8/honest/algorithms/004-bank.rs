use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Event {
    Opened { id: u32, owner: String },
    Moved { from: u32, to: u32, cents: i64 },
    Paid { id: u32, cents: i64 },
}

#[derive(Default, Debug)]
struct Ledger {
    balance: BTreeMap<u32, i64>,
    owner: BTreeMap<u32, String>,
}

impl Ledger {
    fn apply(&mut self, e: &Event) -> Result<(), String> {
        match e {
            Event::Opened { id, owner } => {
                self.owner.insert(*id, owner.clone());
                self.balance.insert(*id, 0);
            }
            Event::Paid { id, cents } => *self.balance.get_mut(id).ok_or("no account")? += cents,
            Event::Moved { from, to, cents } => {
                if self.balance.get(from).copied().unwrap_or(0) < *cents {
                    return Err(format!("account {from} overdrawn"));
                }
                *self.balance.get_mut(from).unwrap() -= cents;
                *self.balance.get_mut(to).ok_or("no target")? += cents;
            }
        }
        Ok(())
    }
}

fn main() {
    let events = vec![
        Event::Opened { id: 1, owner: "Ada".into() },
        Event::Opened { id: 2, owner: "Bob".into() },
        Event::Paid { id: 1, cents: 5000 },
        Event::Moved { from: 1, to: 2, cents: 1200 },
        Event::Moved { from: 2, to: 1, cents: 9000 },
    ];
    let mut l = Ledger::default();
    for e in &events {
        if let Err(m) = l.apply(e) {
            println!("{e:?}: {m}");
        }
    }
    println!("{:?}", l.balance);
}
