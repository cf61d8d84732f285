//! Places in an object, as a Kubernetes server names them: `spec.versions[0].schema.openAPIV3Schema.properties[spec]`.

use std::fmt;

use crate::schema::path::step;

/// A path, from its last step to its root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path<'p> {
    above: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    Root,
    /// `.name`.
    Child(&'p str),
    /// `[key]`.
    Key(&'p str),
    /// `[0]`.
    Index(usize),
    /// Several steps, as they are written: `.size`, `[0].size`.
    Written(&'p str),
}

impl<'p> Path<'p> {
    /// The object itself, which paths do not name.
    pub(crate) const ROOT: Self = Self {
        above: None,
        step: Step::Root,
    };

    pub(crate) fn child(&'p self, name: &'p str) -> Self {
        self.below(Step::Child(name))
    }

    pub(crate) fn key(&'p self, key: &'p str) -> Self {
        self.below(Step::Key(key))
    }

    pub(crate) fn index(&'p self, index: usize) -> Self {
        self.below(Step::Index(index))
    }

    /// Some steps below it, as they are written.
    pub(crate) fn written(&'p self, steps: &'p str) -> Self {
        self.below(Step::Written(steps))
    }

    /// The last key on it.
    pub(super) fn name(&self) -> &'p str {
        let mut paths = std::iter::successors(Some(self), |path| path.above);
        let name = paths.find_map(|path| match path.step {
            Step::Child(name) | Step::Key(name) => Some(name),
            Step::Index(_) | Step::Written(_) | Step::Root => None,
        });
        name.unwrap_or_default()
    }

    /// The version that it is in, by its position.
    pub(super) fn version(&self) -> Option<usize> {
        match self.steps().as_slice() {
            [Step::Child("spec"), Step::Child("versions"), Step::Index(at), ..] => Some(*at),
            _ => None,
        }
    }

    /// The field of the objects that it is about, as the other checks name it: `.spec.ports[]`.
    pub(super) fn field(&self) -> String {
        let steps = self.steps();
        let schema = steps
            .iter()
            .position(|step| matches!(step, Step::Child("openAPIV3Schema")));
        let begin = schema.map_or(steps.len(), |at| at + 1);
        let mut field = String::new();
        let mut rest = steps.iter().skip(begin);
        while let Some(Step::Child(keyword)) = rest.next() {
            match (*keyword, rest.clone().next()) {
                ("properties", Some(Step::Key(name))) => {
                    field.push_str(&step(name));
                    rest.next();
                }
                ("items", _) => field.push_str("[]"),
                ("additionalProperties", _) => field.push_str("{}"),
                _ => break,
            }
        }
        field
    }

    /// The steps from the root.
    fn steps(&self) -> Vec<Step<'p>> {
        let paths = std::iter::successors(Some(self), |path| path.above);
        let mut steps: Vec<Step<'p>> = paths.map(|path| path.step).collect();
        steps.retain(|step| !matches!(step, Step::Root));
        steps.reverse();
        steps
    }

    fn below(&'p self, step: Step<'p>) -> Self {
        Self {
            above: Some(self),
            step,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let above = self.above.filter(|above| !matches!(above.step, Step::Root));
        if let Some(above) = above {
            above.fmt(f)?;
        }
        match (self.step, above) {
            (Step::Root, _) => Ok(()),
            (Step::Child(name), None) => f.write_str(name),
            (Step::Child(name), Some(_)) => write!(f, ".{name}"),
            (Step::Key(key), _) => write!(f, "[{key}]"),
            (Step::Index(index), _) => write!(f, "[{index}]"),
            (Step::Written(steps), _) => f.write_str(steps),
        }
    }
}
