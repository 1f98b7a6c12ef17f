//! Household ledger: `ledger add 12.50 food "market"`, `ledger sum`.
use clap::{Parser, Subcommand};
use rusqlite::{params, Connection};

#[derive(Parser)]
struct Cli {
    #[arg(long, default_value = "ledger.db")]
    db: String,
    #[command(subcommand)]
    cmd: Cmd,
}

#[derive(Subcommand)]
enum Cmd {
    Add { amount: f64, category: String, note: Option<String> },
    Sum,
}

fn main() -> rusqlite::Result<()> {
    let cli = Cli::parse();
    let con = Connection::open(&cli.db)?;
    con.execute_batch(
        "CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, cents INTEGER, category TEXT, note TEXT,
         day TEXT DEFAULT CURRENT_DATE)",
    )?;
    match cli.cmd {
        Cmd::Add { amount, category, note } => {
            let cents = (amount * 100.0).round() as i64;
            con.execute("INSERT INTO entry (cents, category, note) VALUES (?1, ?2, ?3)", params![cents, category, note])?;
        }
        Cmd::Sum => {
            let mut st = con.prepare(
                "SELECT strftime('%Y-%m', day), category, sum(cents) FROM entry GROUP BY 1, 2 ORDER BY 1, 2")?;
            let rows = st.query_map([], |r| Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?, r.get::<_, i64>(2)?)))?;
            for row in rows {
                let (m, c, s) = row?;
                println!("{m} {c:<12} {:>10.2}", s as f64 / 100.0);
            }
        }
    }
    Ok(())
}
