//! The models of a scan, and the releases that it is about.

use lifecycle::evaluate::{Evaluation, NotCovered, Scan, Scope, ScopeError};
use lifecycle::policy::Law;
use lifecycle::usage::Watched;
use lifecycle::{Document, FileId, Sources};

use crate::args;
use crate::args::{Format, ModelChoice, PolicyOptions, SeveralModels};
use crate::built_in::{BUILT_IN, BuiltInModel};
use crate::failure::{Failure, Outcome, Result};
use crate::input_errors;
use crate::io::disk::{Disk, folder_of, list_named};
use crate::io::tree::FileTree;
use crate::kustomized::NamedBy;
use crate::model_files::{self, LoadedModel, ModelFiles, Side};
use crate::schema_files::{EXTENSIONS, SchemaFiles, refuse_errors};
use crate::terminal::Terminal;

/// The models, at least one.
pub struct Models {
    first: Model,
    others: Vec<Model>,
}

/// How models are evaluated, and errors in them reported.
#[derive(Clone, Copy)]
pub struct Evaluated<'o> {
    pub options: &'o PolicyOptions,
    pub format: Format,
}

struct Model {
    /// The name by which the command line calls it.
    name: String,
    files: ModelFiles,
    evaluation: Evaluation,
}

impl Models {
    /// Reads the models that a user names, or else the nearest one, or else the built-in one. If one has errors, they
    /// are reported, and that is the outcome.
    pub fn read(
        chosen: &SeveralModels,
        evaluated: Evaluated<'_>,
        disk: &Disk,
        terminal: &mut Terminal,
    ) -> Result<Result<Self, Outcome>> {
        let nearest = model_files::find_nearest()?;
        let mut choices: Vec<ModelChoice<'_>> = chosen.files.iter().map(|name| ModelChoice::File(name)).collect();
        choices.extend(chosen.builtin.as_deref().map(ModelChoice::BuiltIn));
        if choices.is_empty() {
            let default = ModelChoice::BuiltIn(BUILT_IN[0].name);
            choices.push(nearest.as_deref().map_or(default, ModelChoice::File));
        }
        let mut models = Vec::new();
        for choice in choices {
            match Model::read(choice, evaluated, disk, terminal)? {
                Ok(model) => models.push(model),
                Err(outcome) => return Ok(Err(outcome)),
            }
        }
        let others = models.split_off(1);
        let first = models.pop().ok_or_else(|| Failure::new("there is no model"))?;
        Ok(Ok(Self { first, others }))
    }

    fn all(&self) -> impl Iterator<Item = &Model> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Those of them that come with the program.
    fn built_in(&self) -> impl Iterator<Item = &'static BuiltInModel> {
        BUILT_IN
            .iter()
            .filter(|known| self.all().any(|model| model.name == known.name))
    }

    /// The law of the first model: it sets the severities of findings about comments and baselines.
    pub fn law(&self) -> &Law {
        self.first.evaluation.law()
    }

    /// The names of all files that were read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let files = self.all().flat_map(|model| model.files.texts());
        files.map(|text| text.name.as_str())
    }

    /// A scan for the releases that a user names.
    pub fn scan(&self, arguments: &args::Scan, disk: &Disk, terminal: &mut Terminal) -> Result<Scan> {
        let mut scan = Scan::new();
        for model in self.all() {
            let scope = Scope {
                from: model.release(&arguments.from),
                to: model.release(&arguments.to),
            };
            let added = scan.add_model(&model.name, &model.evaluation, scope);
            added.map_err(|problem| match problem {
                ScopeError::NotCovered(problem) => self.not_covered(model, &problem),
                problem => Failure::new(format!("{}: {problem}", model.name))
                    .help("--from names the release in use, --to the one to upgrade to"),
            })?;
        }
        self.refuse_unknown(&arguments.from)?;
        self.refuse_unknown(&arguments.to)?;
        for model in self.built_in() {
            let [rewrites, contained] = [model.rewrites, model.contained].map(|list| Document::parse(FileId(0), list));
            let added = scan
                .add_rewrites(&rewrites)
                .and_then(|()| scan.add_contained(&contained));
            added.map_err(|errors| Failure::from_diagnostics(&errors, &Sources::new()))?;
        }
        for schemas in self.schemas(arguments, disk, terminal)? {
            scan.add_schemas(&schemas.state());
        }
        Ok(scan)
    }

    /// The elements that are deprecated or removed by the releases that a user names.
    pub fn watched(&self, to: &[String]) -> Result<Watched> {
        let mut watched = Watched::default();
        for model in self.all() {
            let added = model.evaluation.watch(&mut watched, model.release(to));
            added.map_err(|problem| self.not_covered(model, &problem))?;
        }
        self.refuse_unknown(to)?;
        for model in self.built_in() {
            let added = watched.add_contained(&Document::parse(FileId(0), model.contained));
            added.map_err(|errors| Failure::from_diagnostics(&errors, &Sources::new()))?;
        }
        Ok(watched)
    }

    fn not_covered(&self, model: &Model, problem: &NotCovered) -> Failure {
        let failure = Failure::new(format!("{}: {problem}", model.name));
        let kubernetes = BUILT_IN[0].name;
        match self.others.as_slice() {
            [] if model.name == kubernetes => failure.help("name a release that the model lists or plans"),
            [] => failure.help(format!(
                "name a release that the model lists or plans; `--builtin {kubernetes}` knows those of Kubernetes"
            )),
            _ => failure.help(format!("name a release of this model: --to {}=RELEASE", model.name)),
        }
    }

    /// The schemas that a user and the models name.
    fn schemas(&self, arguments: &args::Scan, disk: &Disk, terminal: &mut Terminal) -> Result<Vec<SchemaFiles>> {
        let tree = FileTree::Disk(disk.clone());
        let mut all = Vec::new();
        for path in &arguments.schemas {
            let list = disk.list(path, &EXTENSIONS)?;
            all.push(SchemaFiles::read(&tree, list, NamedBy::User)?);
        }
        for model in self.all() {
            let file = &model.files.models.first().map_or("", |text| text.name.as_str());
            for named in &model.evaluation.model().schemas {
                let path = folder_of(file).join(&named.text);
                let list = list_named(&path.to_string_lossy(), &EXTENSIONS, &disk.within(file))?;
                all.push(SchemaFiles::read(&tree, list, NamedBy::Model)?);
            }
        }
        for schemas in &all {
            schemas.warn(terminal);
            let errors = schemas.errors.iter().map(|(text, error)| error.within(&text.name));
            refuse_errors(errors.collect())?;
        }
        Ok(all)
    }

    /// Refuses a release for a model that is none of these, and a second one for all.
    fn refuse_unknown(&self, typed: &[String]) -> Result<()> {
        let mut plain = typed.iter().filter(|typed| !typed.contains('='));
        if let (Some(first), Some(second)) = (plain.next(), plain.next()) {
            return Err(Failure::new(format!("two releases: {first} and {second}"))
                .help("name one, or the model of each: MODEL=RELEASE"));
        }
        let named = typed.iter().filter_map(|typed| typed.rsplit_once('='));
        for (name, _) in named {
            if self.all().all(|model| model.name != name) {
                let names: Vec<&str> = self.all().map(|model| model.name.as_str()).collect();
                let help = format!("the models are {}", names.join(", "));
                return Err(Failure::new(format!("there is no model `{name}`")).help(help));
            }
        }
        Ok(())
    }
}

impl Model {
    fn read(
        choice: ModelChoice<'_>,
        evaluated: Evaluated<'_>,
        disk: &Disk,
        terminal: &mut Terminal,
    ) -> Result<Result<Self, Outcome>> {
        let (file, tree) = model_files::find(choice, disk)?;
        let Evaluated { options, format } = evaluated;
        let LoadedModel { files, evaluated } = LoadedModel::read(&file, &tree, options, Side::Head)?;
        files.list(terminal);
        let name = match choice {
            ModelChoice::BuiltIn(name) => name.to_owned(),
            ModelChoice::File(_) | ModelChoice::Nearest => file,
        };
        match evaluated {
            Ok(evaluation) => Ok(Ok(Self {
                name,
                files,
                evaluation,
            })),
            Err(errors) => {
                let mut sources = Sources::new();
                files.add_to(&mut sources);
                input_errors::report(&errors, &sources, format, terminal).map(Err)
            }
        }
    }

    /// The release for the model: the one that is named for it, or else for all.
    fn release<'a>(&self, typed: &'a [String]) -> Option<&'a str> {
        let mut own = typed.iter().filter_map(|typed| typed.rsplit_once('='));
        let own = own.find(|(name, _)| *name == self.name).map(|(_, release)| release);
        own.or_else(|| typed.iter().map(String::as_str).find(|typed| !typed.contains('=')))
    }
}
