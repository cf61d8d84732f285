//! Lines of a log of any length, in constant memory, plain or compressed.

use std::cell::Cell;
use std::io::{self, BufReader, ErrorKind, Read};
use std::rc::Rc;

use flate2::Crc;
use flate2::bufread::MultiGzDecoder;
use memchr::{memchr, memrchr};

/// Bytes that are read at a time: what a processor's cache holds.
const CHUNK: usize = 256 << 10;

/// Bytes of the longest line that is read. The largest object that etcd takes, requested and returned, is below it.
const LONGEST: usize = 8 << 20;

/// How much larger than its compressed form a content may be. Logs are some thirty times as large, zeros a thousand.
const MOST_EXPANSION: u64 = 300;

/// Uncompressed bytes from which the expansion counts.
const EXPANSION_FROM: u64 = 64 << 20;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What comes next in a content.
pub(super) enum Next<'b> {
    /// Whole lines, or the last one without its end.
    Lines(&'b [u8]),
    /// A line that is longer than any that is read; it is skipped up to its end.
    TooLong,
    /// The content ends, here if there is a reason.
    End(Option<&'static str>),
}

/// Whether a content has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Ahead,
    Reached,
    /// It cannot be read on, for this reason.
    Damaged(&'static str),
}

/// A content as lines, many at a time.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where what was read ends.
    filled: usize,
    /// Where the lines end that were given out.
    given: usize,
    bytes: u64,
    checksum: Crc,
    is_skipping: bool,
    end: End,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; CHUNK],
            filled: 0,
            given: 0,
            bytes: 0,
            checksum: Crc::new(),
            is_skipping: false,
            end: End::Ahead,
        }
    }

    /// `crc32:1c291ca3:4096`
    pub(super) fn fingerprint(&self) -> String {
        format!("crc32:{:08x}:{}", self.checksum.sum(), self.bytes)
    }

    /// The next lines. A content that is cut or damaged ends there.
    pub(super) fn next(&mut self) -> io::Result<Next<'_>> {
        self.buffer.copy_within(self.given..self.filled, 0);
        self.filled -= self.given;
        self.given = 0;
        while self.end == End::Ahead {
            if self.filled == self.buffer.len() && !self.is_skipping {
                if self.buffer.len() >= LONGEST {
                    self.is_skipping = true;
                    self.filled = 0;
                    return Ok(Next::TooLong);
                }
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
            let Some(begin) = self.read()? else { continue };
            if self.is_skipping && !self.skip() {
                continue;
            }
            let searched = begin.min(self.filled);
            if let Some(end) = memrchr(b'\n', &self.buffer[searched..self.filled]) {
                return Ok(self.give(searched + end + 1));
            }
        }
        if self.filled > 0 && !self.is_skipping {
            return Ok(self.give(self.filled));
        }
        Ok(Next::End(match self.end {
            End::Damaged(reason) => Some(reason),
            End::Ahead | End::Reached => None,
        }))
    }

    /// Reads on; returns where the new bytes begin, or nothing at the end.
    fn read(&mut self) -> io::Result<Option<usize>> {
        let begin = if self.is_skipping { 0 } else { self.filled };
        let room = (begin + CHUNK).min(self.buffer.len());
        let read = self.input.read(&mut self.buffer[begin..room]);
        match read {
            Ok(0) => self.end = End::Reached,
            Ok(count) => {
                self.filled = begin + count;
                self.bytes += count as u64;
                self.checksum.update(&self.buffer[begin..self.filled]);
                return Ok(Some(begin));
            }
            Err(problem) => match problem.kind() {
                ErrorKind::Interrupted => {}
                ErrorKind::UnexpectedEof => self.end = End::Damaged("the compressed data is cut here"),
                ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                    self.end = End::Damaged("the compressed data is damaged here");
                }
                ErrorKind::FileTooLarge => self.end = End::Damaged("the compressed data expands without end here"),
                _ => return Err(problem),
            },
        }
        Ok(None)
    }

    /// Skips a line up to its end; whether that is there.
    fn skip(&mut self) -> bool {
        let Some(end) = memchr(b'\n', &self.buffer[..self.filled]) else {
            self.filled = 0;
            return false;
        };
        self.buffer.copy_within(end..self.filled, 0);
        self.filled -= end;
        self.is_skipping = false;
        true
    }

    fn give(&mut self, end: usize) -> Next<'_> {
        self.given = end;
        Next::Lines(&self.buffer[..end])
    }
}

/// A content as it is, or decompressed if it is compressed (gzip).
pub(super) fn decompressed<'r>(mut input: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let mut begin = Vec::new();
    input.by_ref().take(GZIP.len() as u64).read_to_end(&mut begin)?;
    let is_compressed = begin == GZIP;
    let input = io::Cursor::new(begin).chain(input);
    if !is_compressed {
        return Ok(Box::new(input));
    }
    let read = Rc::new(Cell::new(0));
    let input = Counted {
        input,
        read: Rc::clone(&read),
    };
    Ok(Box::new(Expanded {
        input: MultiGzDecoder::new(BufReader::with_capacity(CHUNK, input)),
        read,
        made: 0,
    }))
}

/// Counts what is read.
struct Counted<R> {
    input: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

/// Ends what expands more than any log does.
struct Expanded<R> {
    input: R,
    read: Rc<Cell<u64>>,
    made: u64,
}

impl<R: Read> Read for Expanded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.made += count as u64;
        if self.made > EXPANSION_FROM && self.made / MOST_EXPANSION > self.read.get() {
            return Err(ErrorKind::FileTooLarge.into());
        }
        Ok(count)
    }
}
