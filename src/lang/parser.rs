//! Tokens to syntax: a Pratt parser.

use super::lexer::{Token, tokens};
use super::{Diagnostic, Expr, Kind, Op, Source, Span};

/// How deeply brackets may nest; deeper is a slip, and would only exhaust the stack.
const DEEPEST: usize = 64;

/// How many operators may stand in a row; every one is a level of the tree.
const MOST_TERMS: usize = 1000;

/// Names that stand for differentials, which multiply by standing next to something.
const DIFFERENTIALS: [&str; 5] = ["dx", "dF0", "dF1", "dR", "dc"];

/// Parses a whole text as one expression.
///
/// ```
/// use rocproof::lang::{parse, Source};
/// assert!(parse(&Source::new("f0", "{ 18/5*x on [0,1/3]; 6/5 on [1/3,1] }")).is_ok());
/// let error = parse(&Source::new("f0", "2*(1-x")).unwrap_err();
/// assert_eq!(error.message, "expected `)`, found the end");
/// ```
pub fn parse(source: &Source) -> Result<Expr, Diagnostic> {
    let mut parser = Parser { source, tokens: tokens(source)?, at: 0, depth: 0 };
    let expr = parser.expr(0)?;
    match parser.peek() {
        Token::End => Ok(expr),
        Token::Name(_) | Token::Number(_) => {
            Err(parser.unexpected("an operator").help("multiplication is written with `*`: 2*x"))
        }
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    source: &'a Source,
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
}

/// Binding powers, weakest first.
const ON: u8 = 1;
const SUM: u8 = 3;
const PRODUCT: u8 = 5;
const NEGATION: u8 = 7;
const POWER: u8 = 9;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn next(&mut self) -> (Token, Span) {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match self.peek() {
            Token::End => "the end".to_owned(),
            _ => format!("`{}`", &self.source.text[self.span().start..self.span().end]),
        };
        self.source.error(
            self.span(),
            format!("expected {wanted}, found {found}"),
            format!("{wanted} should stand here"),
        )
    }

    fn expect(&mut self, symbol: char) -> Result<Span, Diagnostic> {
        if *self.peek() == Token::Symbol(symbol) {
            return Ok(self.next().1);
        }
        Err(self.unexpected(&format!("`{symbol}`")))
    }

    /// An expression whose operators all bind more tightly than `least`.
    fn expr(&mut self, least: u8) -> Result<Expr, Diagnostic> {
        if self.depth == DEEPEST {
            return Err(self.source.error(self.span(), "this is nested too deeply", "more than 64 levels"));
        }
        self.depth += 1;
        let mut left = self.operand()?;
        for terms in 0.. {
            if terms > MOST_TERMS {
                return Err(self.source.error(self.span(), "this has too many terms", "more than 1000 in a row"));
            }
            let (op, power) = match self.peek() {
                Token::Symbol('+') => (Op::Add, SUM),
                Token::Symbol('-') => (Op::Sub, SUM),
                Token::Symbol('*') => (Op::Mul, PRODUCT),
                Token::Symbol('/') => (Op::Div, PRODUCT),
                Token::Symbol('^') => (Op::Pow, POWER),
                Token::Name(name) if DIFFERENTIALS.contains(&name.as_str()) => (Op::Mul, PRODUCT),
                Token::Name(name) if name == "on" && ON > least => {
                    left = self.on(left)?;
                    continue;
                }
                _ => break,
            };
            if power <= least {
                break;
            }
            if matches!(self.peek(), Token::Symbol(_)) {
                self.next();
            }
            // `^` groups to the right: 2^3^2 is 2^9.
            let right = self.expr(if op == Op::Pow { power - 1 } else { power })?;
            let span = left.span.to(right.span);
            left = Expr { kind: Kind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn on(&mut self, left: Expr) -> Result<Expr, Diagnostic> {
        self.next();
        self.expect('[')?;
        let lo = self.expr(0)?;
        self.expect(',')?;
        let hi = self.expr(0)?;
        let end = self.expect(']')?;
        let span = left.span.to(end);
        Ok(Expr { kind: Kind::On(Box::new(left), Box::new([lo, hi])), span })
    }

    fn operand(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.span();
        match self.peek().clone() {
            Token::Number(value) => {
                self.next();
                Ok(Expr { kind: Kind::Number(value), span: start })
            }
            Token::Symbol('-') => {
                self.next();
                let inner = self.expr(NEGATION)?;
                let span = start.to(inner.span);
                Ok(Expr { kind: Kind::Negate(Box::new(inner)), span })
            }
            Token::Symbol('(') => {
                self.next();
                let mut inner = self.expr(0)?;
                inner.span = start.to(self.expect(')')?);
                Ok(inner)
            }
            Token::Symbol('{') => self.braces(),
            Token::Name(name) => {
                self.next();
                match self.peek() {
                    Token::Symbol('(') => self.call(name, start),
                    // `atoms: { … }` and `atoms { … }` are the braces alone.
                    Token::Symbol(':' | '{') if name == "atoms" => {
                        if *self.peek() == Token::Symbol(':') {
                            self.next();
                        }
                        self.braces()
                    }
                    _ => Ok(Expr { kind: Kind::Name(name), span: start }),
                }
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn call(&mut self, name: String, name_span: Span) -> Result<Expr, Diagnostic> {
        self.next();
        let mut arguments = Vec::new();
        if *self.peek() != Token::Symbol(')') {
            arguments.push(self.expr(0)?);
            while *self.peek() == Token::Symbol(',') {
                self.next();
                arguments.push(self.expr(0)?);
            }
        }
        let end = self.expect(')')?;
        Ok(Expr { kind: Kind::Call(name, name_span, arguments), span: name_span.to(end) })
    }

    /// `{ e on [a,b]; … }` or `{ place: mass; … }`; a `;` may end the list.
    fn braces(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.expect('{')?;
        let mut pieces = Vec::new();
        let mut atoms = Vec::new();
        loop {
            if *self.peek() == Token::Symbol('}') && !(pieces.is_empty() && atoms.is_empty()) {
                break;
            }
            let item = self.expr(0)?;
            if *self.peek() == Token::Symbol(':') {
                if !pieces.is_empty() {
                    return Err(self
                        .unexpected("`;` or `}`")
                        .help("pieces and atoms are mixed with `+`: 0.5*{…} + 0.5*{…}"));
                }
                self.next();
                let mass = self.expr(0)?;
                atoms.push((item, mass));
            } else if atoms.is_empty() {
                pieces.push(item);
            } else {
                return Err(self.unexpected("`:`").help("an atom is written place: mass"));
            }
            if *self.peek() != Token::Symbol(';') {
                break;
            }
            self.next();
        }
        let span = start.to(self.expect('}')?);
        let kind = if atoms.is_empty() { Kind::Pieces(pieces) } else { Kind::Atoms(atoms) };
        Ok(Expr { kind, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        fn show(e: &Expr) -> String {
            match &e.kind {
                Kind::Number(n) => n.to_string(),
                Kind::Name(n) => n.clone(),
                Kind::Negate(e) => format!("-({})", show(e)),
                Kind::Binary(op, l, r) => format!("({} {op:?} {})", show(l), show(r)),
                Kind::Call(n, _, a) => format!("{n}[{}]", a.iter().map(show).collect::<Vec<_>>().join(" ")),
                Kind::On(e, i) => format!("{} on {}..{}", show(e), show(&i[0]), show(&i[1])),
                Kind::Pieces(p) => format!("{{{}}}", p.iter().map(show).collect::<Vec<_>>().join("; ")),
                Kind::Atoms(a) => a.iter().map(|(x, m)| format!("{}:{}", show(x), show(m))).collect(),
            }
        }
        parse(&Source::new("test", text)).map(|e| show(&e)).unwrap_or_else(|d| d.message)
    }

    #[test]
    fn precedence_is_that_of_paper() {
        assert_eq!(shape("-x^2"), "-((x Pow 2))");
        assert_eq!(shape("1-2*x/3"), "(1 Sub ((2 Mul x) Div 3))");
        assert_eq!(shape("2^3^2"), "(2 Pow (3 Pow 2))");
        assert_eq!(shape("2^-1"), "(2 Pow -(1))");
        assert_eq!(shape("F0^2 dF1"), "((F0 Pow 2) Mul dF1)");
        assert_eq!(shape("1 + x on [0, 1/2]"), "(1 Add x) on 0..(1 Div 2)");
        assert_eq!(shape("atoms: { 0.25: 0.1; 0.5: 0.9 }"), "1/4:1/101/2:9/10");
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(shape("2x"), "expected an operator, found `x`");
        assert_eq!(shape(""), "expected a number, a name or `(`, found the end");
        assert_eq!(shape(&"(".repeat(1000)), "this is nested too deeply");
        assert_eq!(shape(&"-".repeat(100_000)), "this is nested too deeply");
        assert_eq!(shape("1e9999"), "this number cannot be read");
        assert_eq!(shape(&"1+".repeat(100_000)), "this has too many terms");
        assert_eq!(shape("1 ? 2"), "unexpected character `?`");
    }
}
