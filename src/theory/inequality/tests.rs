use super::*;

fn settled(text: &str) -> Result<usize, String> {
    let statement = Statement::parse(text).unwrap();
    let mut terms = 0;
    for claim in &statement.claims {
        let proofs = prove(&statement, claim, Duration::from_secs(10))?;
        verify(&statement, claim, &proofs).unwrap();
        terms += proofs.iter().map(|proof| proof.terms.len()).sum::<usize>();
    }
    Ok(terms)
}

#[test]
fn battery() {
    let Ok(file) = std::env::var("BATTERY") else { return };
    let only = std::env::var("ONLY").ok();
    for text in std::fs::read_to_string(file).unwrap().lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if only.as_ref().is_some_and(|o| !text.contains(o.as_str())) {
            continue;
        }
        let start = Instant::now();
        let outcome = settled(text);
        println!("{:7.2}s {} {:?}", start.elapsed().as_secs_f64(), text, outcome);
    }
}
