//! Which threshold choice method should I use? Prints the expected losses of all seven methods for a model that ranks well and
//! is badly calibrated, before and after calibration.
//!
//!     cargo run --release --example which_method

use rocproof::output::digits;
use rocproof::{Condition, Level, Method, Model, Request, evaluate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Scores squeezed towards 1/2: a good ranking, underconfident probabilities.
    let model = Model::new("beta(20, 25)", "beta(25, 20)", "1/3")?;
    let (raw, calibrated) = (
        evaluate(&model, &Request::at(Level::Numeric)).unwrap(),
        evaluate(&model.cal(), &Request::at(Level::Numeric)).unwrap(),
    );
    println!("{:15} {:>16} {:>16}", "method", "as it is", "calibrated");
    for method in Method::ALL {
        let show = |e: &rocproof::Evaluation| {
            e.loss(Condition::Cost, method).and_then(|v| v.estimate()).map_or("-".into(), digits)
        };
        println!("{:15} {:>16} {:>16}", method.title(), show(&raw), show(&calibrated));
    }
    Ok(())
}
