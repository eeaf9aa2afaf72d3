//! The page of the report: whole, well-formed, with every claim, and nothing in it that leads nowhere.

use crate::AUDIT;
use rocproof::data::curves::CurvePiece;
use rocproof::draw::{Axis, Figure as Drawing, Ink, Panel, Stroke};
use rocproof::paper::audit::{Audit, Outcome, TIME};
use rocproof::paper::{self, claim};
use rocproof::report::audit as report;
use rocproof::report::page::{Figure, page};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static PAGE: LazyLock<String> = LazyLock::new(|| page(&AUDIT, &figures()));

/// Two figures that use the same names within.
fn figures() -> Vec<Figure> {
    ["strictlyconvex", "other"]
        .map(|label| {
            let mut panel = Panel::new("A", Axis::new("*c*", 0.0, 1.0), Axis::new("loss", 0.0, 0.8));
            panel.curve([CurvePiece::straight(0.0, 1.0, 0.1, 0.3)].into_iter(), Stroke::of(Ink::Series(0)), "mine");
            Figure {
                label: label.to_owned(),
                title: format!("Model {label}"),
                caption: "A curve & its area".to_owned(),
                svg: Drawing::new("").row(1.0, [panel]).to_svg(),
                files: vec![format!("figures/{label}.svg"), format!("figures/{label}.pdf")],
            }
        })
        .to_vec()
}

fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|why| panic!("{why}"))
}

fn ids<'a>(document: &'a Document) -> Vec<&'a str> {
    document.descendants().filter_map(|node| node.attribute("id")).collect()
}

fn with_id<'a>(document: &'a Document, id: &str) -> Node<'a, 'a> {
    document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap_or_else(|| panic!("no {id}"))
}

fn text(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn has_class(node: &Node, class: &str) -> bool {
    node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
}

#[test]
fn anchors_are_unique_and_links_lead_somewhere() {
    let document = parsed(&PAGE);
    let all = ids(&document);
    let unique: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(all.len(), unique.len());
    let mut files: BTreeSet<String> = report::files(&AUDIT).into_iter().map(|file| file.path).collect();
    files.insert("claims.json".to_owned());
    files.extend(figures().into_iter().flat_map(|figure| figure.files));
    let mut linked = BTreeSet::new();
    for link in document.descendants().filter_map(|node| node.attribute("href")) {
        match link.strip_prefix('#') {
            Some(anchor) => assert!(unique.contains(anchor), "{link}"),
            None => {
                assert!(files.contains(link), "{link}");
                linked.insert(link.to_owned());
            }
        }
    }
    // Nothing that is written is left without a link.
    assert_eq!(linked, files);
    for name in document.descendants().filter_map(|node| node.attribute("clip-path")) {
        let name = name.trim_start_matches("url(#").trim_end_matches(')');
        assert!(unique.contains(name), "{name}");
    }
    for labelled in document.descendants().filter_map(|node| node.attribute("aria-labelledby")) {
        assert!(unique.contains(labelled), "{labelled}");
    }
}

#[test]
fn every_claim_and_finding_is_there_with_its_verdict() {
    let document = parsed(&PAGE);
    for settled in &AUDIT.claims {
        let article = with_id(&document, &settled.claim.id);
        assert!(has_class(&article, settled.outcome.name()), "{}", settled.claim.id);
        let words = text(article);
        assert!(words.contains(&settled.claim.words) && words.contains(&settled.claim.place), "{words}");
        let asked = report::statement(settled);
        let again = report::command(settled).unwrap();
        assert!(words.contains(&asked) && words.contains(&again), "{words}");
    }
    for finding in AUDIT.findings() {
        let article = with_id(&document, &finding.id);
        let words = text(article);
        assert!(words.contains(&finding.paper_says), "{words}");
        for told in finding.explanation.iter().chain(&finding.origin) {
            assert!(words.contains(told), "{words}");
        }
        let links: Vec<&str> = article.descendants().filter_map(|node| node.attribute("href")).collect();
        for id in finding.repairs.iter().chain([&finding.claim]) {
            assert!(links.contains(&format!("#{id}").as_str()), "{id}");
        }
    }
    for slip in paper::slips().unwrap() {
        let words = text(with_id(&document, &slip.id));
        assert!(words.contains(&slip.words) && words.contains(&slip.meant), "{words}");
    }
    // Findings come first, then figures, then claims.
    let at = |id: &str| PAGE.find(&format!("<section id=\"{id}\"")).unwrap();
    assert!(at("findings") < at("figures") && at("figures") < at("claims") && at("claims") < at("again"));
    let outcomes = [Outcome::ByDefinition, Outcome::Proved, Outcome::Confirmed, Outcome::Refuted, Outcome::Undecided];
    for (outcome, tile) in outcomes.into_iter().zip(document.descendants().filter(|node| has_class(node, "tile"))) {
        let count = tile.descendants().find(|node| node.has_tag_name("strong")).map(text).unwrap();
        assert_eq!(count, AUDIT.count(outcome).to_string());
    }
}

#[test]
fn formulas_are_mathml_without_a_failure() {
    assert!(!PAGE.contains("unconverted") && !PAGE.contains("<merror"));
    let document = parsed(&PAGE);
    for settled in &AUDIT.claims {
        let article = with_id(&document, &settled.claim.id);
        let formulas = || article.descendants().filter(|node| node.has_tag_name("math"));
        let proved = settled.outcome == Outcome::Proved;
        assert!(!proved || formulas().count() > 5, "{}", settled.claim.id);
        assert!(formulas().all(|math| math.has_children()), "{}", settled.claim.id);
    }
    // No LaTeX is left in what is read.
    let body = document.descendants().find(|node| node.has_tag_name("body")).unwrap();
    for node in
        body.descendants().filter(Node::is_text).filter(|node| !node.ancestors().any(|up| up.has_tag_name("pre")))
    {
        let text = node.text().unwrap_or_default();
        assert!(!text.contains('\\') && !text.contains('$'), "{text}");
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let document = parsed(&PAGE);
    for node in document.descendants().filter(Node::is_element) {
        assert!(!["script", "link", "iframe", "object", "embed", "img"].contains(&node.tag_name().name()), "{node:?}");
        for attribute in node.attributes() {
            assert!(!attribute.value().contains("://"), "{attribute:?}");
        }
        if node.has_tag_name("style") {
            let style = text(node);
            assert!(!style.contains("url(") && !style.contains("@import") && !style.contains("://"), "{style}");
        }
    }
}

#[test]
fn the_page_can_be_found_through() {
    let document = parsed(&PAGE);
    for landmark in ["header", "nav", "main", "footer", "h1"] {
        assert_eq!(document.descendants().filter(|node| node.has_tag_name(landmark)).count(), 1, "{landmark}");
    }
    let mut before = 0;
    for node in document.descendants() {
        let level = ["h1", "h2", "h3", "h4"].iter().position(|name| node.has_tag_name(*name)).map(|k| k + 1);
        if let Some(level) = level {
            assert!(level <= before + 1, "{}", text(node));
            before = level;
        }
    }
    let svg: Vec<Node> = document.descendants().filter(|node| node.tag_name().name() == "svg").collect();
    assert_eq!(svg.len(), 2);
    assert!(svg.iter().all(|node| node.attribute("role") == Some("img") && node.attribute("aria-label").is_some()));
    // From a claim to the figure of its model, and back.
    let figure = document.descendants().find(|node| has_class(node, "drawn")).unwrap();
    assert!(figure.descendants().any(|node| node.attribute("href") == Some("#fig:strictlyconvex-loss")));
    let finding = with_id(&document, "finding:fig:strictlyconvex-loss");
    assert!(finding.descendants().any(|node| node.attribute("href") == Some("#figure:strictlyconvex")));
}

#[test]
fn digits_that_differ_are_marked() {
    let document = parsed(&PAGE);
    let finding = with_id(&document, "finding:fig:strictlyconvex-loss");
    let marks: Vec<String> = finding.descendants().filter(|node| node.has_tag_name("mark")).map(text).collect();
    assert_eq!(marks, ["45", "56"]);
    let right = with_id(&document, "fig:nonstrictlyconvex-intervals");
    assert!(!right.descendants().any(|node| node.has_tag_name("mark")));
}

/// Claims of every kind that the paper need not have, some with signs that HTML gives a meaning to.
#[test]
fn all_evidence_is_shown() {
    let claims = r#"
        [[claim]]
        id = "chain"
        place = "<b>here</b> & \"there\""
        kind = "remark"
        words = "a < b && c"
        model = "strictlyconvex"
        statement = "L[o] == RL_conv <= BS"
        [[claim]]
        id = "fails"
        place = "p"
        kind = "remark"
        words = "w"
        model = "strictlyconvex"
        statement = "AUC == 1/3"
        [[claim]]
        id = "intervals"
        place = "p"
        kind = "intervals"
        words = "w"
        model = "nonstrictlyconvex"
        intervals = [{ kind = "constant", tau = ["0", "0.34"], sigma = ["0", "0.51"] }]
        [[claim]]
        id = "denied"
        place = "p"
        kind = "theorem"
        words = "w"
        denied = true
        statement = "L[sd] == BS"
        [[claim]]
        id = "fault"
        place = "p"
        kind = "remark"
        words = "w"
        model = "nosuchmodel"
        class = "convex"
        [[claim]]
        id = "two"
        place = "p"
        kind = "remark"
        words = "w"
        statement = "for m, n: AUC(m) >= AUC(n) implies L[o](m) <= L[o](n)"
    "#;
    let audit = Audit::of(&claim::read(claims).unwrap(), TIME, |_| {});
    let html = page(&audit, &[]);
    let document = parsed(&html);
    assert_eq!(text(with_id(&document, "chain-title")).trim(), "confirmed <b>here</b> & \"there\"");
    let rows = |id: &str| with_id(&document, id).descendants().filter(|node| node.has_tag_name("tr")).count();
    // A head, and three members of a chain; or two sides.
    assert_eq!(rows("chain"), 1 + 3);
    assert_eq!(rows("finding:fails"), 1 + 2);
    let model = paper::model("strictlyconvex").unwrap().unwrap();
    for id in ["chain", "finding:fails"] {
        let words = text(with_id(&document, id));
        assert!([0, 1].iter().all(|class| words.contains(model.density(*class).text())), "{words}");
    }
    let marks = |id: &str| with_id(&document, id).descendants().filter(|n| n.has_tag_name("mark")).map(text);
    // Of the first interval its kind and two ends; the others are not printed at all.
    let marked: Vec<String> = marks("finding:intervals").collect();
    assert_eq!(marked[..6], ["constant", "bijective", "0.34", "1/3", "none", "constant"], "{marked:?}");
    let denied = with_id(&document, "finding:denied");
    assert!(text(denied).contains("It holds") && denied.descendants().any(|n| n.attribute("href") == Some("#denied")));
    assert!(text(with_id(&document, "fault")).contains("there is no model @nosuchmodel"));
    let files = report::files(&audit);
    let two = with_id(&document, "finding:two");
    for path in ["counterexamples/two.toml", "counterexamples/two-2.toml"] {
        assert!(files.iter().any(|file| file.path == path));
        assert!(two.descendants().any(|node| node.attribute("href") == Some(path)), "{path}");
    }
    assert!(!html.contains("unconverted"));
}

#[test]
fn the_page_is_the_same_twice() {
    assert_eq!(*PAGE, page(&AUDIT, &figures()));
}
