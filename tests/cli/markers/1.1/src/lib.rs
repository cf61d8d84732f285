pub struct Client;

impl Client {
    pub fn open(&self) {}

    #[deprecated(since = "1.0.0", note = "use `drop`")]
    pub fn close(&self) {}
}
