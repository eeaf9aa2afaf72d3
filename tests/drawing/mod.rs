//! What an SVG figure shows, read back from it.
#![allow(dead_code)]

/// It is XML, all numbers are finite, names are its own, and text starts inside.
pub fn check_svg(svg: &str, what: &str) {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|why| panic!("{what}: {why}"));
    let root = document.root_element();
    let view: Vec<f64> = root.attribute("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    let mut ids = Vec::new();
    for node in document.descendants().filter(|node| node.is_element()) {
        for attribute in node.attributes().filter(|a| !["data-name", "font-family", "class"].contains(&a.name())) {
            let value = attribute.value().to_ascii_lowercase();
            assert!(!value.contains("nan") && !value.contains("inf"), "{what}: {} = {value}", attribute.name());
        }
        ids.extend(node.attribute("id"));
        if node.has_tag_name("text") {
            let at = |name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
            assert!((0.0..=view[2]).contains(&at("x")) && (0.0..=view[3]).contains(&at("y")), "{what}: {node:?}");
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{what}");
}

/// A step of a drawn path: where it goes, and its control point if it is a parabola.
pub type Step = ([f64; 2], Option<[f64; 2]>);

/// The paths of a figure in the coordinates of their panels: name, and runs of steps.
pub fn drawn(svg: &str) -> Vec<(String, Vec<Vec<Step>>)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let numbers = |text: &str| -> Vec<f64> { text.split(' ').map(|n| n.parse().unwrap()).collect() };
    let mut paths = Vec::new();
    for panel in document.descendants().filter(|node| node.attribute("class") == Some("panel")) {
        let [frame, x, y] = ["data-frame", "data-x", "data-y"].map(|name| numbers(panel.attribute(name).unwrap()));
        let back = |at: &[f64]| {
            [x[0] + (at[0] - frame[0]) / frame[2] * (x[1] - x[0]), y[1] - (at[1] - frame[1]) / frame[3] * (y[1] - y[0])]
        };
        for path in panel.descendants().filter(|node| node.attribute("class") == Some("trace")) {
            let mut runs: Vec<Vec<Step>> = Vec::new();
            let steps = path
                .attribute("d")
                .unwrap()
                .replace("h0", "")
                .replace('M', "\nM")
                .replace('L', "\nL")
                .replace('Q', "\nQ");
            for step in steps.lines().filter(|step| !step.is_empty()) {
                let at = numbers(&step[1..]);
                if step.starts_with('M') {
                    runs.push(Vec::new());
                }
                let (control, end) =
                    if step.starts_with('Q') { (Some(back(&at[..2])), &at[2..]) } else { (None, &at[..]) };
                runs.last_mut().unwrap().push((back(end), control));
            }
            paths.push((path.attribute("data-name").unwrap().to_owned(), runs));
        }
    }
    paths
}

/// The area under a path.
pub fn drawn_area(runs: &[Vec<Step>]) -> f64 {
    let of_step = |from: [f64; 2], (to, control): Step| {
        let mean = control.map_or((from[1] + to[1]) / 2.0, |control| (from[1] + control[1] + to[1]) / 3.0);
        (to[0] - from[0]) * mean
    };
    runs.iter().flat_map(|run| run.windows(2).map(|pair| of_step(pair[0].0, pair[1]))).sum()
}
