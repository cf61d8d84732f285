//! The grammar of CEL, by recursive descent.

use super::lexer::{Token, tokens};
use super::literal;
use super::macros;
use super::tree::{Entry, Expr, Id, Item, Literal, Span, Tree};
use super::{Stop, Unjudged};

/// How many expressions may be open: a bound for the stack, which every input meets with a tree less high.
const MOST_OPEN: usize = 120;

/// Names that may not be variables. Fields may have them.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

pub(super) struct Parsed {
    pub tree: Tree,
    pub root: Id,
    pub unjudged: Vec<Unjudged>,
}

pub(super) fn parse(text: &str) -> Result<Parsed, Stop> {
    let mut parser = Parser {
        text,
        tokens: tokens(text).map_err(Stop::Wrong)?,
        at: 0,
        open: 0,
        tree: Tree::default(),
        unjudged: Vec::new(),
    };
    let root = parser.expression()?;
    match parser.peek() {
        Token::End => Ok(Parsed {
            tree: parser.tree,
            root,
            unjudged: parser.unjudged,
        }),
        _ => Err(parser.unexpected()),
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, Span)>,
    at: usize,
    open: usize,
    tree: Tree,
    unjudged: Vec<Unjudged>,
}

type Found = Result<Id, Stop>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &Token {
        self.tokens.get(self.at + by).map_or(&Token::End, |(token, _)| token)
    }

    fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |(_, span)| span.start)
    }

    /// From a place to the last word that was taken.
    fn since(&self, start: usize) -> Span {
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        Span {
            start,
            end: last.map_or(start, |(_, span)| span.end),
        }
    }

    fn skip(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if *next == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Stop> {
        match self.skip(sign) {
            true => Ok(()),
            false => Err(self.unexpected()),
        }
    }

    fn unexpected(&self) -> Stop {
        let before = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        let word = |span: Span| self.text.get(span.start..span.end).unwrap_or_default();
        let reason = match (self.tokens.get(self.at), before) {
            (Some((Token::Name(name), _)), _) if name == "and" => "`and` is not an operator: write `&&`".to_owned(),
            (Some((Token::Name(name), _)), _) if name == "or" => "`or` is not an operator: write `||`".to_owned(),
            (Some((Token::End, _)) | None, None) => "there is no expression".to_owned(),
            (Some((Token::End, _)) | None, Some((_, last))) => {
                format!("the expression does not end after `{}`", word(*last))
            }
            (Some((_, span)), None) => format!("an expression cannot begin with `{}`", word(*span)),
            (Some((_, span)), Some((_, last))) => {
                format!("`{}` cannot follow `{}`", word(*span), word(*last))
            }
        };
        Stop::Wrong(reason)
    }

    fn add(&mut self, expr: Expr, start: usize) -> Found {
        Ok(self.tree.add(expr, self.since(start))?)
    }

    fn call(&mut self, function: &str, arguments: Vec<Id>, start: usize) -> Found {
        let call = Expr::Call {
            function: function.to_owned(),
            target: None,
            arguments,
        };
        self.add(call, start)
    }

    fn expression(&mut self) -> Found {
        self.open += 1;
        if self.open > MOST_OPEN {
            return Err(Unjudged::Deep.into());
        }
        let start = self.start();
        let mut found = self.any_of("||", "_||_")?;
        if self.skip("?") {
            let then = self.any_of("||", "_||_")?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            found = self.call("_?_:_", vec![found, then, otherwise], start)?;
        }
        self.open -= 1;
        Ok(found)
    }

    /// Terms joined by `||`, or by `&&`, which binds closer.
    fn any_of(&mut self, sign: &str, function: &str) -> Found {
        let start = self.start();
        let mut terms = Vec::new();
        loop {
            terms.push(match sign {
                "||" => self.any_of("&&", "_&&_")?,
                _ => self.relation()?,
            });
            if !self.skip(sign) {
                break;
            }
        }
        match terms[..] {
            [only] => Ok(only),
            _ => self.call(function, terms, start),
        }
    }

    fn relation(&mut self) -> Found {
        let start = self.start();
        let mut left = self.sum()?;
        loop {
            let function = match self.peek() {
                Token::In => "@in",
                Token::Sign("==") => "_==_",
                Token::Sign("!=") => "_!=_",
                Token::Sign("<") => "_<_",
                Token::Sign("<=") => "_<=_",
                Token::Sign(">") => "_>_",
                Token::Sign(">=") => "_>=_",
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.sum()?;
            left = self.call(function, vec![left, right], start)?;
        }
    }

    fn sum(&mut self) -> Found {
        let start = self.start();
        let mut left = self.product()?;
        loop {
            let function = match self.peek() {
                Token::Sign("+") => "_+_",
                Token::Sign("-") => "_-_",
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            left = self.call(function, vec![left, right], start)?;
        }
    }

    fn product(&mut self) -> Found {
        let start = self.start();
        let mut left = self.unary()?;
        loop {
            let function = match self.peek() {
                Token::Sign("*") => "_*_",
                Token::Sign("/") => "_/_",
                Token::Sign("%") => "_%_",
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.unary()?;
            left = self.call(function, vec![left, right], start)?;
        }
    }

    fn unary(&mut self) -> Found {
        let start = self.start();
        let (sign, function) = match self.peek() {
            Token::Sign("!") => ("!", "!_"),
            Token::Sign("-") if !self.is_negative_number() => ("-", "-_"),
            _ => return self.member(),
        };
        let mut count = 0;
        while self.skip(sign) {
            count += 1;
        }
        let operand = self.member()?;
        match count % 2 {
            0 => Ok(operand),
            _ => self.call(function, vec![operand], start),
        }
    }

    fn is_negative_number(&self) -> bool {
        matches!(self.peek(), Token::Sign("-")) && matches!(self.ahead(1), Token::Int(_) | Token::Double(_))
    }

    fn member(&mut self) -> Found {
        let start = self.start();
        let mut found = self.primary()?;
        loop {
            if self.skip(".") {
                found = self.after_dot(found, start)?;
            } else if self.skip("[") {
                let function = if self.skip("?") { "_[?_]" } else { "_[_]" };
                let index = self.expression()?;
                self.expect("]")?;
                found = self.call(function, vec![found, index], start)?;
            } else {
                return Ok(found);
            }
        }
    }

    fn after_dot(&mut self, operand: Id, start: usize) -> Found {
        let is_optional = self.skip("?");
        let (field, is_plain) = match self.peek().clone() {
            Token::Name(name) => (name, true),
            Token::Quoted(name) => {
                self.unjudged.push(Unjudged::Newer(format!("`{name}`")));
                (name, false)
            }
            _ => return Err(self.unexpected()),
        };
        let named = self.start();
        self.at += 1;
        if is_plain && !is_optional && self.skip("(") {
            let arguments = self.arguments()?;
            let span = self.since(start);
            return macros::call(&mut self.tree, (field, Some(operand), arguments), span);
        }
        if is_optional {
            let name = self.add(Expr::Literal(Literal::Text(field)), named)?;
            return self.call("_?._", vec![operand, name], start);
        }
        let select = Expr::Select {
            operand,
            field,
            tests: false,
        };
        self.add(select, start)
    }

    fn arguments(&mut self) -> Result<Vec<Id>, Stop> {
        let mut found = Vec::new();
        if self.skip(")") {
            return Ok(found);
        }
        loop {
            found.push(self.expression()?);
            if self.skip(")") {
                return Ok(found);
            }
            self.expect(",")?;
        }
    }

    fn primary(&mut self) -> Found {
        let start = self.start();
        let is_negative = self.is_negative_number();
        self.at += usize::from(is_negative);
        let token = self.peek().clone();
        let (dot, name) = match token {
            Token::Literal(literal) => {
                self.at += 1;
                return self.add(Expr::Literal(literal), start);
            }
            Token::Int(_) | Token::Double(_) => return self.number(&token, is_negative, start),
            Token::Sign("(") => {
                self.at += 1;
                let found = self.expression()?;
                self.expect(")")?;
                return Ok(found);
            }
            Token::Sign("[") => return self.list(),
            Token::Sign("{") => return self.map(),
            Token::Name(name) => ("", name),
            Token::Sign(".") => match self.ahead(1).clone() {
                Token::Name(name) => (".", name),
                _ => return Err(self.unexpected()),
            },
            _ => return Err(self.unexpected()),
        };
        if let Some(found) = self.message()? {
            return Ok(found);
        }
        if RESERVED.contains(&name.as_str()) {
            return Err(Stop::Wrong(format!("`{name}` is reserved: it cannot be a name")));
        }
        self.at += 1 + dot.len();
        let name = format!("{dot}{name}");
        if !self.skip("(") {
            return self.add(Expr::Name(name), start);
        }
        let arguments = self.arguments()?;
        let span = self.since(start);
        macros::call(&mut self.tree, (name, None, arguments), span)
    }

    fn number(&mut self, token: &Token, is_negative: bool, start: usize) -> Found {
        self.at += 1;
        let literal = match token {
            Token::Int(digits) => literal::signed(digits, is_negative).map(Literal::Int),
            Token::Double(digits) => {
                let value = digits.parse::<f64>().ok().filter(|value| value.is_finite());
                value.map(|value| Literal::Double(if is_negative { -value } else { value }))
            }
            _ => None,
        };
        let span = self.since(start);
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let literal = literal.ok_or_else(|| Stop::Wrong(format!("`{text}` is too large a number")))?;
        self.add(Expr::Literal(literal), start)
    }

    fn list(&mut self) -> Found {
        let start = self.start();
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.closes("]", items.is_empty()) {
            let is_optional = self.skip("?");
            let value = self.expression()?;
            items.push(Item { value, is_optional });
            if !matches!(self.peek(), Token::Sign("]")) {
                self.expect(",")?;
            }
        }
        self.expect("]")?;
        self.add(Expr::List(items), start)
    }

    fn map(&mut self) -> Found {
        let start = self.start();
        self.expect("{")?;
        let mut entries = Vec::new();
        while !self.closes("}", entries.is_empty()) {
            let is_optional = self.skip("?");
            let key = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            let value = Item { value, is_optional };
            entries.push(Entry { key, value });
            if !matches!(self.peek(), Token::Sign("}")) {
                self.expect(",")?;
            }
        }
        self.expect("}")?;
        self.add(Expr::Map(entries), start)
    }

    /// Whether a list or map ends here; an empty one may have a comma too.
    fn closes(&mut self, sign: &str, is_empty: bool) -> bool {
        let ends = |token: &Token| matches!(token, Token::Sign(next) if *next == sign);
        if is_empty && matches!(self.peek(), Token::Sign(",")) && ends(self.ahead(1)) {
            self.at += 1;
        }
        ends(self.peek())
    }

    /// `a.b.Type{field: value}`
    fn message(&mut self) -> Result<Option<Id>, Stop> {
        let start = self.start();
        let mut ahead = usize::from(matches!(self.peek(), Token::Sign(".")));
        let mut name = if ahead == 1 { "." } else { "" }.to_owned();
        loop {
            let Token::Name(part) = self.ahead(ahead) else {
                return Ok(None);
            };
            name.push_str(part);
            match self.ahead(ahead + 1) {
                Token::Sign(".") => name.push('.'),
                Token::Sign("{") => break,
                _ => return Ok(None),
            }
            ahead += 2;
        }
        self.at += ahead + 2;
        let mut values = Vec::new();
        while !self.closes("}", values.is_empty()) {
            self.skip("?");
            match self.peek() {
                Token::Name(_) | Token::Quoted(_) => self.at += 1,
                _ => return Err(self.unexpected()),
            }
            self.expect(":")?;
            values.push(self.expression()?);
            if !matches!(self.peek(), Token::Sign("}")) {
                self.expect(",")?;
            }
        }
        self.expect("}")?;
        self.add(Expr::Message { name, values }, start).map(Some)
    }
}
