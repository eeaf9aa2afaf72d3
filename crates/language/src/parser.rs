//! The parser: tokens to syntax, by precedence climbing (Pratt).

use crate::piece::Piece;

use super::lexer::{Token, tokens};
use super::{ComparisonSyntax, Diagnostic, Expr, FamilySyntax, Kind, Op, Source, Span, StatementSyntax, Word};

/// The deepest nesting of brackets. Deeper input is a mistake and would exhaust the stack.
const DEEPEST: usize = 64;

/// The most operators in a row. Each is a level of the tree.
const MOST_TERMS: usize = 1000;

/// Names that multiply the factor before them without a `*`, as on paper: `F0^2 F1 dF1`.
const IMPLICIT_FACTORS: [&str; 8] = ["dx", "dF0", "dF1", "dR", "dc", "F0", "F1", "R"];

/// Parses a whole text as one expression.
///
/// ```
/// use rocproof_language::{parse, Source};
/// assert!(parse(&Source::new("f0", "{ 18/5*x on [0,1/3]; 6/5 on [1/3,1] }")).is_ok());
/// let error = parse(&Source::new("f0", "2*(1-x")).unwrap_err();
/// assert_eq!(error.message, "expected `)`, found the end");
/// ```
pub fn parse(source: &Source) -> Result<Expr, Diagnostic> {
    let mut parser = Parser::new(source)?;
    let expr = parser.expr(0)?;
    match parser.peek() {
        Token::End => Ok(expr),
        Token::Name(_) | Token::Number(_) => {
            Err(parser.unexpected("an operator").help("multiplication is written with `*`: 2*x"))
        }
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

/// Parses a whole text as a statement.
///
/// ```
/// use rocproof_language::{parse_statement, Source};
/// let statement = parse_statement(&Source::new("statement", "for convex m: L[o](m) == RL(m) where pi0 == 1/2"))?;
/// assert_eq!(statement.classes[0].0, "convex");
/// assert_eq!(statement.conditions.len(), 1);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn parse_statement(source: &Source) -> Result<StatementSyntax, Diagnostic> {
    let mut parser = Parser::new(source)?;
    let (classes, models) = if parser.takes_word("for") { parser.models()? } else { Default::default() };
    let mut premises = Vec::new();
    let mut claims = parser.chain()?;
    let is_list = *parser.peek() == Token::Symbol(',');
    while parser.takes(',') {
        claims.extend(parser.chain()?);
    }
    if parser.takes_word("implies") {
        premises = std::mem::replace(&mut claims, parser.chain()?);
    } else if is_list {
        let help = "premises with commas between them end with `implies`; several claims are several statements";
        return Err(parser.unexpected("`implies`").help(help));
    }
    let conditions = if parser.takes_word("where") { parser.conditions()? } else { Vec::new() };
    parser.end("`where`, `implies` or the end")?;
    Ok(StatementSyntax { classes, models, premises, claims, conditions })
}

/// Parses a whole text as a list of families of expressions, separated by commas.
///
/// ```
/// use rocproof_language::{parse_families, Source};
/// let families = parse_families(&Source::new("basis", "AUC, int(F0^i F1^j dF1) for i+j <= 4"))?;
/// assert_eq!(families.len(), 2);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn parse_families(source: &Source) -> Result<Vec<FamilySyntax>, Diagnostic> {
    let mut parser = Parser::new(source)?;
    let mut families = Vec::new();
    loop {
        let member = parser.expr(0)?;
        let bounds = if parser.takes_word("for") { parser.bounds()? } else { Vec::new() };
        families.push(FamilySyntax { member, bounds });
        if !parser.takes(',') {
            break;
        }
    }
    parser.end("`,`, `for` or the end")?;
    Ok(families)
}

/// A position in the tokens of a text.
struct Parser<'a> {
    source: &'a Source,
    tokens: Vec<(Token, Span)>,
    /// The index of the next token.
    position: usize,
    /// The nesting of expressions.
    depth: usize,
}

// Precedences, lowest first. They are odd, so that `precedence - 1` lies between two of them.
const ON: u8 = 1;
const SUM: u8 = 3;
const PRODUCT: u8 = 5;
const NEGATION: u8 = 7;
const POWER: u8 = 9;

impl<'a> Parser<'a> {
    /// A parser at the start of a text.
    fn new(source: &'a Source) -> Result<Parser<'a>, Diagnostic> {
        Ok(Parser { source, tokens: tokens(source)?, position: 0, depth: 0 })
    }

    /// The next token.
    fn peek(&self) -> &Token {
        &self.tokens[self.position].0
    }

    /// The place of the next token.
    fn span(&self) -> Span {
        self.tokens[self.position].1
    }

    /// Steps over the next token and returns it. The last token, `End`, stays the next one.
    fn next(&mut self) -> (Token, Span) {
        let token = self.tokens[self.position].clone();
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
        token
    }

    /// The error that `wanted` was expected in place of the next token.
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

    /// Steps over a symbol, or fails.
    fn expect(&mut self, symbol: char) -> Result<Span, Diagnostic> {
        if *self.peek() == Token::Symbol(symbol) {
            return Ok(self.next().1);
        }
        Err(self.unexpected(&format!("`{symbol}`")))
    }

    /// Steps over a symbol if it is next; says whether it was.
    fn takes(&mut self, symbol: char) -> bool {
        let is_next = *self.peek() == Token::Symbol(symbol);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Steps over a word if it is next; says whether it was.
    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Token::Name(name) if name == word);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Fails unless the text ends here; `wanted` names the tokens that could also follow.
    fn end(&mut self, wanted: &str) -> Result<(), Diagnostic> {
        match self.peek() {
            Token::End => Ok(()),
            Token::Name(_) | Token::Number(_) => {
                Err(self.unexpected("an operator").help("multiplication is written with `*`: 2*AUC"))
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    /// Parses `CLASS … m, n:` after `for`. Returns the classes and the names of the models: the last word before a comma or the colon is a
    /// model, and words before it are classes.
    fn models(&mut self) -> Result<(Vec<Word>, Vec<Word>), Diagnostic> {
        // `words` are those since the last comma.
        let (mut classes, mut models, mut words) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match self.peek().clone() {
                Token::Name(name) => {
                    let (_, span) = self.next();
                    words.push((name, span));
                }
                Token::Symbol(symbol @ (',' | ':')) if !words.is_empty() => {
                    self.next();
                    let name = words.pop();
                    if !models.is_empty()
                        && let Some((word, span)) = words.first()
                    {
                        return Err(self
                            .source
                            .error(*span, format!("`{word}` stands before the second model"), "a class of its own")
                            .help("classes stand before the first model and hold for both: `for convex m, n:`"));
                    }
                    models.extend(name);
                    classes.append(&mut words);
                    if symbol == ':' {
                        return Ok((classes, models));
                    }
                }
                _ => {
                    let help = "a statement about a class of models begins `for convex m:`";
                    return Err(self.unexpected("the name of a model and `:`").help(help));
                }
            }
        }
    }

    /// Parses a chain `a == b == c` as comparisons of neighbours.
    fn chain(&mut self) -> Result<Vec<ComparisonSyntax>, Diagnostic> {
        let mut comparisons: Vec<ComparisonSyntax> = Vec::new();
        let mut left = self.expr(0)?;
        while let Token::Relation(relation) = *self.peek() {
            self.next();
            let right = self.expr(0)?;
            comparisons.push(ComparisonSyntax { left, relation, right: right.clone() });
            left = right;
        }
        if comparisons.is_empty() {
            return Err(self.unexpected("a relation").help("a statement compares two sides: == <= < >= >"));
        }
        Ok(comparisons)
    }

    /// Parses conditions separated by commas.
    fn conditions(&mut self) -> Result<Vec<ComparisonSyntax>, Diagnostic> {
        let mut conditions = self.chain()?;
        while self.takes(',') {
            conditions.extend(self.chain()?);
        }
        Ok(conditions)
    }

    /// Parses the bounds of a family. A comma that no condition follows separates families, so the parser steps back before it.
    fn bounds(&mut self) -> Result<Vec<ComparisonSyntax>, Diagnostic> {
        let mut bounds = self.chain()?;
        while *self.peek() == Token::Symbol(',') {
            let before = (self.position, self.depth);
            self.next();
            match self.chain() {
                Ok(more) => bounds.extend(more),
                Err(_) => {
                    (self.position, self.depth) = before;
                    break;
                }
            }
        }
        Ok(bounds)
    }

    /// Parses an expression whose operators have a higher precedence than `least`. An operator of lower precedence ends it, and is left to
    /// the caller.
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
            let (op, precedence) = match self.peek() {
                Token::Symbol('+') => (Op::Add, SUM),
                Token::Symbol('-') => (Op::Sub, SUM),
                Token::Symbol('*') => (Op::Mul, PRODUCT),
                Token::Symbol('/') => (Op::Div, PRODUCT),
                Token::Symbol('^') => (Op::Pow, POWER),
                Token::Name(name) if IMPLICIT_FACTORS.contains(&name.as_str()) => (Op::Mul, PRODUCT),
                Token::Name(name) if name == "on" && ON > least => {
                    left = self.on(left)?;
                    continue;
                }
                _ => break,
            };
            if precedence <= least {
                break;
            }
            // An implicit factor has no operator to step over.
            if matches!(self.peek(), Token::Symbol(_)) {
                self.next();
            }
            // `^` is right associative: 2^3^2 is 2^9. So its right operand may contain `^` itself.
            let right = self.expr(if op == Op::Pow { precedence - 1 } else { precedence })?;
            let span = left.span.to(right.span);
            left = Expr { kind: Kind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Parses `on [a, b]` or `on arcs` after an expression.
    fn on(&mut self, left: Expr) -> Result<Expr, Diagnostic> {
        self.next();
        if let Token::Name(word) = self.peek()
            && let Some(piece) = Piece::of_plural(word)
        {
            let (_, end) = self.next();
            let span = left.span.to(end);
            return Ok(Expr { kind: Kind::OnPieces(Box::new(left), piece), span });
        }
        self.expect('[')?;
        let lo = self.expr(0)?;
        self.expect(',')?;
        let hi = self.expr(0)?;
        let end = self.expect(']')?;
        let span = left.span.to(end);
        Ok(Expr { kind: Kind::On(Box::new(left), Box::new([lo, hi])), span })
    }

    /// Parses a number, a name, a call, a negation, or an expression in brackets.
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
                self.after_name(name, start)
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    /// Parses the rest of an operand that begins with a name: arguments, brackets, or nothing.
    fn after_name(&mut self, name: String, name_span: Span) -> Result<Expr, Diagnostic> {
        match self.peek() {
            Token::Symbol('(') => {
                let call = self.call(name, name_span)?;
                self.applications(call)
            }
            Token::Symbol('[') => {
                let bracket = self.bracket(name, name_span)?;
                self.applications(bracket)
            }
            // `atoms: { … }` and `atoms { … }` are the braces alone.
            Token::Symbol(':' | '{') if name == "atoms" => {
                self.takes(':');
                self.braces()
            }
            _ => Ok(Expr { kind: Kind::Name(name), span: name_span }),
        }
    }

    /// Parses `[method; cost]` after a name.
    fn bracket(&mut self, name: String, name_span: Span) -> Result<Expr, Diagnostic> {
        self.next();
        let method = Box::new(self.expr(0)?);
        let cost = if self.takes(';') { Some(Box::new(self.expr(0)?)) } else { None };
        let end = self.expect(']')?;
        Ok(Expr { kind: Kind::Bracket(name, name_span, method, cost), span: name_span.to(end) })
    }

    /// Parses argument lists after a call or after brackets, as in `L[o](m)`.
    fn applications(&mut self, mut callee: Expr) -> Result<Expr, Diagnostic> {
        while *self.peek() == Token::Symbol('(') {
            let (arguments, end) = self.arguments()?;
            let span = callee.span.to(end);
            callee = Expr { kind: Kind::Apply(Box::new(callee), arguments), span };
        }
        Ok(callee)
    }

    /// Parses the arguments after a name.
    fn call(&mut self, name: String, name_span: Span) -> Result<Expr, Diagnostic> {
        let (arguments, end) = self.arguments()?;
        Ok(Expr { kind: Kind::Call(name, name_span, arguments), span: name_span.to(end) })
    }

    /// Parses `(a, b)`. Returns the arguments and the place of the closing parenthesis.
    fn arguments(&mut self) -> Result<(Vec<Expr>, Span), Diagnostic> {
        self.next();
        let mut arguments = Vec::new();
        if *self.peek() != Token::Symbol(')') {
            arguments.push(self.expr(0)?);
            while self.takes(',') {
                arguments.push(self.expr(0)?);
            }
        }
        Ok((arguments, self.expect(')')?))
    }

    /// Parses `{ e on [a,b]; … }` or `{ score: mass; … }`. A `;` may end the list.
    fn braces(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.expect('{')?;
        let mut pieces = Vec::new();
        let mut atoms = Vec::new();
        loop {
            if *self.peek() == Token::Symbol('}') && !(pieces.is_empty() && atoms.is_empty()) {
                break;
            }
            let item = self.expr(0)?;
            // An expression before `:` is the score of an atom, any other one is a piece.
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
            if !self.takes(';') {
                break;
            }
        }
        let span = start.to(self.expect('}')?);
        let kind = if atoms.is_empty() { Kind::Pieces(pieces) } else { Kind::Atoms(atoms) };
        Ok(Expr { kind, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree of an expression with all its brackets, or the message of the error.
    fn shape(text: &str) -> String {
        fn show(e: &Expr) -> String {
            match &e.kind {
                Kind::Number(n) => n.to_string(),
                Kind::Name(n) => n.clone(),
                Kind::Negate(e) => format!("-({})", show(e)),
                Kind::Binary(op, l, r) => format!("({} {op:?} {})", show(l), show(r)),
                Kind::Call(n, _, a) => format!("{n}[{}]", a.iter().map(show).collect::<Vec<_>>().join(" ")),
                Kind::Bracket(n, _, m, c) => {
                    format!("{n}<{}{}>", show(m), c.as_ref().map_or(String::new(), |c| format!("; {}", show(c))))
                }
                Kind::Apply(e, a) => {
                    format!("{}[{}]", show(e), a.iter().map(show).collect::<Vec<_>>().join(" "))
                }
                Kind::OnPieces(e, piece) => format!("{} on {}", show(e), piece.plural()),
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
    fn statements_have_classes_models_premises_claims_and_conditions() {
        let read = |text: &str| parse_statement(&Source::new("test", text));
        let statement =
            read("for convex even m, n: AUC(m) >= AUC(n) implies L[o](m) <= L[o](n) where pi0 < 1/2, t == 1").unwrap();
        let words = |words: &[Word]| words.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!((words(&statement.classes), words(&statement.models)), ("convex even".into(), "m n".into()));
        assert_eq!(read("AUC >= 1/2, KS <= 1/2 < H implies BS < 1").unwrap().premises.len(), 3);
        assert!(read("AUC >= 1/2, KS <= 1/2").unwrap_err().message.contains("`implies`"));
        assert!(read("for convex m, even n: AUC(m) >= AUC(n)").unwrap_err().message.contains("second model"));
        let counts = [&statement.premises, &statement.claims, &statement.conditions].map(Vec::len);
        assert_eq!(counts, [1, 1, 2]);
        assert_eq!(read("L[sd] == L[o] <= RL").unwrap().claims.len(), 2);
        assert_eq!(shape("L[rd; beta(2,2)](Conv(m))"), "L<rd; beta[2 2]>[Conv[m]]");
        assert_eq!(shape("Acc(t)(m) + int(F0^2 F1 dF1)"), "(Acc[t][m] Add int[(((F0 Pow 2) Mul F1) Mul dF1)])");
        let message = |text: &str| read(text).unwrap_err().message;
        assert_eq!(message("AUC = 1"), "`=` is not a relation");
        assert_eq!(message("AUC"), "expected a relation, found the end");
        assert_eq!(message("for convex: AUC >= 1/2 ="), "`=` is not a relation");
        assert_eq!(message("for : AUC >= 1/2"), "expected the name of a model and `:`, found `:`");
        assert_eq!(message("AUC == 1 where"), "expected a number, a name or `(`, found the end");
        let families =
            parse_families(&Source::new("test", "AUC, int(F0^i F1^j dF1) for i+j <= 4, i <= 2, Gini")).unwrap();
        assert_eq!(families.iter().map(|f| f.bounds.len()).collect::<Vec<_>>(), [0, 2, 0]);
    }

    #[test]
    fn errors_name_the_mistake() {
        assert_eq!(shape("2x"), "expected an operator, found `x`");
        assert_eq!(shape(""), "expected a number, a name or `(`, found the end");
        assert_eq!(shape(&"(".repeat(1000)), "this is nested too deeply");
        assert_eq!(shape(&"-".repeat(100_000)), "this is nested too deeply");
        assert_eq!(shape("1e9999"), "this number cannot be read");
        assert_eq!(shape(&"1+".repeat(100_000)), "this has too many terms");
        assert_eq!(shape("1 ? 2"), "unexpected character `?`");
    }
}
