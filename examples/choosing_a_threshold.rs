//! Given scores and labels, and costs that are known at deployment: which method should set the threshold, what is its expected loss, and what is the
//! threshold at cost proportion 0.2?

use rocproof::data::{
    KnownAt, OperatingPoint, Partition, Scored, compare_methods, corp, decompose, evaluate_scored, finite_sample,
    thresholds_at,
};
use rocproof::functional::Thresholds;
use rocproof::report::AsText;
use rocproof::{Cost, report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scores = [0.05, 0.1, 0.1, 0.2, 0.3, 0.3, 0.35, 0.5, 0.5, 0.6, 0.7, 0.85, 0.9, 0.95];
    let labels = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1];
    let data = Scored::from_rows(&scores, &labels.map(|label| label == 1), None)?;
    let cost = Cost::uniform();
    let evaluation = evaluate_scored(&data, &cost, &Thresholds::default());

    println!("{}", AsText(&compare_methods(&data, &evaluation, &cost, Some(KnownAt::Deployment))));
    let at = OperatingPoint::parse("c=0.2").map_err(|error| error.message)?;
    println!("{}", AsText(&thresholds_at(&data, &evaluation, &at)));

    // Are the scores calibrated? Decompositions by ties, by the hull, and by five bins.
    for partition in ["ties", "hull", "width:5"] {
        println!("{}", AsText(&decompose(&data, &evaluation, &partition.parse::<Partition>()?)?));
    }
    println!("{}", AsText(&corp(&data, &evaluation)));
    print!("{}", report::finite::table(&finite_sample(&data, &evaluation), None));
    Ok(())
}
