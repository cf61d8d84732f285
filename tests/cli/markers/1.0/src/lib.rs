pub struct Client;

impl Client {
    #[deprecated(since = "1.0.0", note = "use `open`")]
    pub fn connect(&self) {}

    pub fn open(&self) {}
}

#[deprecated]
pub use crate::{one, two};
