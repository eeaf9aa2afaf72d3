//! Which statements of the paper can be proved, and what do the proofs look like? Writes the certificate of every proof,
//! its derivation as text and as LaTeX, and a stand-alone SymPy script.
//!
//! `cargo run --release --example paper_proofs -- DIRECTORY [FILE]`, where FILE has other statements, one per line.

use rocproof::paper::{self, Claim};
use rocproof::statement::Statement;
use rocproof::theory::effort::Effort;
use rocproof::theory::{derivation, prove, sympy};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).ok_or("which directory?")?);
    std::fs::create_dir_all(&directory)?;
    let claims: Vec<(String, String)> = match std::env::args().nth(2) {
        Some(file) => {
            let text = std::fs::read_to_string(file)?;
            text.lines().enumerate().map(|(k, line)| (format!("line-{}", k + 1), line.to_owned())).collect()
        }
        None => {
            let theorem = |claim: Claim| Some((claim.id.clone(), claim.theorem()?.to_owned()));
            paper::claims()?.into_iter().filter_map(theorem).collect()
        }
    };
    for (id, text) in claims {
        let statement = Statement::parse(&text).map_err(|error| error.render(false))?;
        let start = Instant::now();
        match prove::statement(&statement, &Effort::usual(Duration::from_secs(20))) {
            Ok(certificate) => {
                let name = id.replace(':', "-");
                let file = |ending: &str| directory.join(format!("{name}.{ending}"));
                std::fs::write(file("json"), serde_json::to_string_pretty(&certificate.to_json())?)?;
                std::fs::write(file("py"), sympy::script(&certificate))?;
                std::fs::write(file("txt"), derivation::text(&certificate))?;
                std::fs::write(file("tex"), derivation::document(&[derivation::latex(&certificate)]))?;
                println!("proved  {:30} {:6.2} s", id, start.elapsed().as_secs_f64());
            }
            Err(why) => println!("open    {:30} {:6.2} s  {why}", id, start.elapsed().as_secs_f64()),
        }
    }
    Ok(())
}
