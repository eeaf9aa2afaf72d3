//! The innermost loops allocate nothing: evaluating densities at the sites of a panel, and integrands at its nodes.

use rocproof::calculus::coordinate::Coordinate;
use rocproof::calculus::rule::SITES;
use rocproof::functional::program::{Environment, Inputs, Program, Registers};
use rocproof::{Cost, Density, Model};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn integrands() {
    let curve = Model::new("beta(0.5, 2)", "beta(3, 0.7)", "1/5").unwrap().curve();
    let program = Program::new(&["x^2*pi0*dF0 + (1-x)^2*pi1*dF1", "Q(R)*w(R) dR", "Q(c)*w(c) dc"]).unwrap();
    let cost = Cost::parse("beta(2.5, 0.7)").unwrap();
    let view = Environment { pi0: 0.2, pi1: 0.8, cost: &cost, range: curve.range };
    let mut registers = Registers::default();
    program.run(&Inputs::of(&curve.panels[0]), &view, &mut registers);
    let counted = allocations(|| {
        // In a gap there is no posterior.
        for panel in curve.panels.iter().filter(|panel| panel.has_mass()) {
            program.run(&Inputs::of(panel), &view, &mut registers);
            (0..program.len()).for_each(|k| assert!(program.integral(k, &registers).value.is_finite()));
        }
    });
    assert!(curve.panels.len() > 5 && counted == 0, "{counted} allocations");
    assert!(allocations(|| drop(std::hint::black_box(vec![0u8; 10]))) > 0, "the counter counts");
}

#[test]
fn densities() {
    for text in
        ["beta(2.5, 3)", "normal(0.5, 1)", "logistic(0, 1)", "triangular(0, 1/2, 1)", "normalize(1 + sin(6*pi*x)/2)"]
    {
        let density = Density::parse(text).unwrap();
        let places = Coordinate::FromLeft { a: 0.0, b: 1.0 }.places(0.1, 0.2);
        let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
        let family = &density.components[0].density;
        let counted = allocations(|| family.log_density(&places, &mut log, &mut slope));
        assert_eq!(counted, 0, "{text}");
    }
}
