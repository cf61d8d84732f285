//! What expressions are made of: names, literals, lists, maps, and expressions in parentheses.

use super::lexer::{RESERVED, Token};
use super::literal;
use super::macros;
use super::parser::{Found, Parser};
use super::tree::{Entry, Expr, Id, Item, Literal};
use super::unread::Stop;

impl Parser<'_> {
    pub(crate) fn primary(&mut self) -> Found {
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
        if is_empty && is_sign(self.peek(), ",") && is_sign(self.ahead(1), sign) {
            self.at += 1;
        }
        is_sign(self.peek(), sign)
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

fn is_sign(token: &Token, sign: &str) -> bool {
    matches!(token, Token::Sign(next) if *next == sign)
}
