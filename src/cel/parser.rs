//! The grammar of CEL, by recursive descent.

use super::lexer::{Token, tokens};
use super::macros;
use super::tree::{Expr, Id, Literal, Span, Tree};
use super::unread::{Stop, Unjudged};

/// How many expressions may be open: a bound for the stack, which every input meets with a tree less high.
const MOST_OPEN: usize = 120;

#[derive(Debug)]
pub(crate) struct Parsed {
    pub tree: Tree,
    pub root: Id,
    pub unjudged: Vec<Unjudged>,
}

pub(crate) fn parse(text: &str) -> Result<Parsed, Stop> {
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

pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    tokens: Vec<(Token, Span)>,
    pub(crate) at: usize,
    open: usize,
    pub(crate) tree: Tree,
    unjudged: Vec<Unjudged>,
}

pub(crate) type Found = Result<Id, Stop>;

impl Parser<'_> {
    pub(crate) fn peek(&self) -> &Token {
        self.ahead(0)
    }

    pub(crate) fn ahead(&self, by: usize) -> &Token {
        self.tokens.get(self.at + by).map_or(&Token::End, |(token, _)| token)
    }

    pub(crate) fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |(_, span)| span.start)
    }

    /// From a place to the last word that was taken.
    pub(crate) fn since(&self, start: usize) -> Span {
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        Span {
            start,
            end: last.map_or(start, |(_, span)| span.end),
        }
    }

    pub(crate) fn skip(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if *next == sign);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Result<(), Stop> {
        if self.skip(sign) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn word(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    pub(crate) fn unexpected(&self) -> Stop {
        let before = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        let reason = match (self.tokens.get(self.at), before) {
            (Some((Token::Name(name), _)), _) if name == "and" => "`and` is not an operator: write `&&`".to_owned(),
            (Some((Token::Name(name), _)), _) if name == "or" => "`or` is not an operator: write `||`".to_owned(),
            (Some((Token::End, _)) | None, None) => "there is no expression".to_owned(),
            (Some((Token::End, _)) | None, Some((_, last))) => {
                format!("the expression does not end after `{}`", self.word(*last))
            }
            (Some((_, span)), None) => format!("an expression cannot begin with `{}`", self.word(*span)),
            (Some((token, span)), Some((Token::Sign("."), _))) if is_keyword(token) => {
                let name = self.word(*span);
                format!("`{name}` cannot follow `.`: in rules, a field `{name}` has the name `__{name}__`")
            }
            (Some((_, span)), Some((_, last))) => {
                format!("`{}` cannot follow `{}`", self.word(*span), self.word(*last))
            }
        };
        Stop::Wrong(reason)
    }

    pub(crate) fn add(&mut self, expr: Expr, start: usize) -> Found {
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

    pub(crate) fn expression(&mut self) -> Found {
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

    pub(crate) fn is_negative_number(&self) -> bool {
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

    pub(crate) fn arguments(&mut self) -> Result<Vec<Id>, Stop> {
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
}

/// Whether the grammar takes a word for something else than a name.
fn is_keyword(token: &Token) -> bool {
    matches!(token, Token::In | Token::Literal(Literal::Null | Literal::Bool(_)))
}
