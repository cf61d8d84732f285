//! What every rule about a lifetime states: how long an element stays after its deprecation, when it is due to go, and
//! which releases may carry either event.

use crate::model::{ElementId, ElementKind, Event, EventKind, Model};
use crate::policy::{Class, Key, Period, RuleLaw, StepLaw};
use crate::release::{KindSet, Release, Window};
use crate::stability::Track;

use super::{Anchor, Demand, Obligation, Obligations, Reach, Scope, Term};

/// The end of a life under an edition of a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End<'l> {
    pub(crate) law: &'l RuleLaw,
    pub(crate) class: Class,
    pub(crate) removed: Event,
    /// The event from which it counts, as [`Scope::announcement`] finds it.
    pub(crate) announced: Event,
    /// How the element stays: "a beta version stays served".
    pub(crate) because: &'static str,
    /// Of an element whose kind is not built in: the kind, the class and the track.
    pub(crate) of_kind: Option<(&'l str, &'l str, Track)>,
}

impl<'l> End<'l> {
    /// The law and the class that apply to it in an edition of its rule.
    fn under<'e>(&self, edition: &'e RuleLaw) -> (&'e RuleLaw, Class) {
        match self.of_kind {
            Some((kind, class, track)) => edition.of_kind(kind, class, track),
            None => (edition, self.class),
        }
    }

    fn step<'e>(&self, edition: Option<&'e RuleLaw>, name: &str) -> Option<&'e StepLaw> {
        let (law, class) = self.under(edition?);
        law.step(class, name)
    }

    pub(super) fn period(&self, key: Key) -> Option<&'l Period> {
        self.law.period(self.class, key)
    }
}

/// Finds something about an event, from a plan.
pub(crate) type Find<'f, T> = &'f dyn Fn(Event) -> T;

impl Scope<'_> {
    /// The event from which the end of a life counts: its deprecation. A removal without a deprecation counts from
    /// itself.
    pub(crate) fn announcement(&self, element: ElementId, life: u8) -> Event {
        let removed = Event::new(element, life, EventKind::Removed);
        let deprecated = removed.sibling(EventKind::Deprecated);
        let unannounced =
            self.model.find_declared(removed).is_some() && self.model.deprecation(element, life).is_none();
        if unannounced { removed } else { deprecated }
    }

    /// Adds the lifetime of each life of an element; `class` finds the class by the deprecation.
    pub(crate) fn lifetimes(
        &self,
        out: &mut Obligations,
        element: ElementId,
        class: impl Fn(Event) -> Class,
        because: &'static str,
    ) {
        for life in 0..self.model.lives(element) {
            let removed = Event::new(element, life, EventKind::Removed);
            if let Some(law) = self.law.at(self.model.announced(removed)) {
                let end = End {
                    law,
                    class: class(removed.sibling(EventKind::Deprecated)),
                    removed,
                    announced: self.announcement(element, life),
                    because,
                    of_kind: None,
                };
                self.lifetime(out, &end);
            }
        }
    }

    /// Adds all that a policy may state about the end of a life.
    pub(crate) fn lifetime(&self, out: &mut Obligations, end: &End<'_>) {
        self.stays(out, end);
        self.waits_for_major(out, end, "a removal waits for a major release");
        self.is_due(out, end, "a deprecated element is removed when its window ends");
        self.meets_target(out, end);
        self.in_kinds(out, end);
        self.steps(out, end);
        self.prefers(out, end);
    }

    /// Adds: it stays for the window after its deprecation. A flag goes with its command, if that is removed first.
    pub(crate) fn stays(&self, out: &mut Obligations, end: &End<'_>) {
        let Some(period) = end.period(Key::AfterDeprecation) else {
            return;
        };
        if matches!(end.class, Class::Alpha | Class::AlphaToDropped) && period.is_empty() {
            self.after_introduction(out, end.removed);
            return;
        }
        let windows = period.on(&self.model.calendar);
        let own = windows.map(|window| Term::after(end.announced, window));
        self.ends_after_any(out, end, own.collect(), end.because);
    }

    /// Adds: an event is not before the end of a period after another one, and of the window that follows it.
    pub(crate) fn not_before_end(
        &self,
        out: &mut Obligations,
        (code, event): (&'static str, Event),
        (from, period, then): (Event, &Period, Window),
        because: &'static str,
    ) {
        let windows = period.on(&self.model.calendar).map(|window| window.followed_by(then));
        let terms = windows.map(|window| Term::after(from, window));
        self.not_before_any(out, (code, event), terms.collect(), because);
    }

    /// Adds: it is not removed before the next major release, where the policy says so.
    pub(crate) fn waits_for_major(&self, out: &mut Obligations, end: &End<'_>, because: &'static str) {
        if end.law.next_major.contains(&end.class) {
            let term = Term {
                anchor: Anchor::Event(end.announced),
                reach: Reach::NextMajor,
                only_in: KindSet::default(),
            };
            self.ends_after_any(out, end, vec![term], because);
        }
    }

    fn ends_after_any(&self, out: &mut Obligations, end: &End<'_>, mut terms: Vec<Term>, because: &'static str) {
        terms.extend(self.model.owner_removal(end.removed).map(Term::at));
        self.not_before_any(out, ("early", end.removed), terms, because);
    }

    /// Adds: it is removed no later than the window after its deprecation.
    pub(crate) fn is_due(&self, out: &mut Obligations, end: &End<'_>, because: &'static str) {
        let windows = end
            .period(Key::RemoveWithin)
            .map(|period| period.on(&self.model.calendar));
        for window in windows.into_iter().flatten() {
            let demand = Demand::NotAfter(Term::after(end.announced, window));
            out.push(self.obligation("overdue", end.removed, demand, because));
        }
    }

    /// Adds: it is removed by the release for which that was announced, if that is not declared as its removal.
    fn meets_target(&self, out: &mut Obligations, end: &End<'_>) {
        let element = end.removed.element;
        let target = self.model.attributes(element).and_then(|own| own.target.as_deref());
        let Some((target, place)) = target.filter(|_| end.removed.life == self.model.last_life(element)) else {
            return;
        };
        let term = Term {
            anchor: Anchor::Release(*target),
            reach: Reach::After(Window::default()),
            only_in: KindSet::default(),
        };
        let because = "a removal comes in the release for which it was announced";
        let due = self.obligation("overdue", end.removed, Demand::NotAfter(term), because);
        // What is declared is what moves.
        out.push(match self.model.find_declared(end.removed) {
            Some(_) => due.related(*place, "announced here"),
            None => due.place(*place),
        });
    }

    /// Adds: only releases of the policy's kinds deprecate it, or remove it. The edition is that of the release that
    /// does.
    pub(crate) fn in_kinds(&self, out: &mut Obligations, end: &End<'_>) {
        let deprecated = end.removed.sibling(EventKind::Deprecated);
        for (event, key) in [(deprecated, Key::Deprecate), (end.removed, Key::Remove)] {
            let law = self.law_at(self.model.find_declared(event)).map(|law| end.under(law));
            if let Some(kinds) = law.and_then(|(law, class)| law.only_in.get(&(class, key))) {
                self.only_in(out, event, kinds);
            }
        }
    }

    /// Adds the steps of the policy between deprecation and removal, each after the one before.
    pub(crate) fn steps(&self, out: &mut Obligations, end: &End<'_>) {
        let is_removed = self.model.find_declared(end.removed).is_some();
        // The lock of a gate is an entry of its `specs`, which begin with what announces its end.
        let own = own_step(self.model, end.removed.element);
        let deprecated = end.removed.sibling(EventKind::Deprecated);
        let mut before = if own.is_some() { end.announced } else { deprecated };
        let mut last = None;
        for (what, name) in steps_of(self.model, own) {
            let event = end.removed.sibling(what);
            let declared = self.model.find_declared(event);
            let step = end.step(self.law_at(declared), name);
            // An optional step that is not declared does not happen, nor does a lock that means nothing to the policy.
            let is_meant = declared.is_some() && own.is_none() || step.is_some_and(|step| step.required);
            if !is_meant && (declared.is_none() || step.is_none()) {
                continue;
            }
            self.required(out, end, name, event);
            if declared.is_none() && (is_removed || own.is_some()) {
                continue;
            }
            // A step that this edition does not name may be taken all the same.
            let after = step.and_then(|step| step.after.as_ref());
            let after = after.iter().flat_map(|after| after.on(&self.model.calendar));
            let windows: Vec<Term> = after.map(|window| Term::after(before, window)).collect();
            let terms = if windows.is_empty() {
                vec![Term::at(before)]
            } else {
                windows
            };
            if let Some(demand) = Demand::not_before_any(terms) {
                out.push(self.obligation("early", event, demand, "a step waits for the one before it"));
            }
            if let Some(step) = step.filter(|step| !step.only_in.is_empty()) {
                self.only_in(out, event, &step.only_in);
            }
            (before, last) = (event, Some(event));
        }
        if let Some(last) = last {
            self.after_steps(out, end, last);
        }
    }

    /// Adds what the policy asks of the hiding of a metric besides its window: which releases may hide it, and whether
    /// it has to be hidden before its deletion.
    pub(crate) fn hiding(&self, out: &mut Obligations, end: &End<'_>) {
        let hidden = end.removed.sibling(EventKind::Hidden);
        let name = EventKind::Hidden.as_str();
        self.required(out, end, name, hidden);
        let step = end.step(self.law_at(self.model.find_declared(hidden)), name);
        if let Some(step) = step.filter(|step| !step.only_in.is_empty()) {
            self.only_in(out, hidden, &step.only_in);
        }
    }

    /// Adds: nothing is removed without a step that the policy requires in the release of the removal.
    fn required(&self, out: &mut Obligations, end: &End<'_>, name: &str, event: Event) {
        let model = self.model;
        let Some(removed) = model.find_declared(end.removed) else {
            return;
        };
        let step = end.step(self.law_at(Some(removed)), name);
        if step.is_none_or(|step| !step.required) || self.goes_with_its_owner(end.removed) {
            return;
        }
        let is_met = model.find_declared(event).is_some();
        let verb = model.event_word(event.what).verb();
        let because = format!("nothing is removed before it {verb}");
        let missing = self.obligation("step-missing", end.removed, Demand::Requires(is_met), because);
        let (id, release) = (model.id(removed.event.element), model.calendar.name(removed.release));
        let message = format!("{id} is removed in {release}, but it declares no `{name}`");
        let how = match event.what {
            EventKind::Locked => "with an entry that has `locked = true`".to_owned(),
            EventKind::Hidden => "hidden = \"…\"".to_owned(),
            _ => format!("steps = {{ {name} = \"…\" }}"),
        };
        let help = format!("declare the release in which it {verb}: {how}");
        out.push(missing.message(message).help_unless_shipped(help));
    }

    /// Whether nothing announces the end of a flag: then it is bound to that of its command, which takes the steps.
    fn goes_with_its_owner(&self, removed: Event) -> bool {
        let has_owner = self.model.owner_removal(removed).is_some();
        has_owner && self.model.deprecation(removed.element, removed.life).is_none()
    }

    /// Adds: it is not removed before the last of its steps, and the window after that.
    fn after_steps(&self, out: &mut Obligations, end: &End<'_>, last: Event) {
        let calendar = &self.model.calendar;
        let windows = end.period(Key::AfterSteps).map(|period| period.on(calendar));
        let own: Vec<Term> = windows
            .into_iter()
            .flatten()
            .map(|window| Term::after(last, window))
            .collect();
        let terms = if own.is_empty() { vec![Term::at(last)] } else { own };
        self.ends_after_any(
            out,
            end,
            terms,
            "an element stays after the last step before its removal",
        );
    }

    fn only_in(&self, out: &mut Obligations, event: Event, kinds: &[String]) {
        let calendar = &self.model.calendar;
        let kinds = kinds.iter().map(|name| KindSet::from(calendar.kind_named(name)));
        let kinds = kinds.fold(KindSet::default(), KindSet::and);
        let words = calendar.kind_words(kinds);
        out.only_in(event, kinds);
        let Some(declared) = self.model.find_declared(event) else {
            let because = format!("only a {words} release may have it");
            let next = Term::first_of(kinds, calendar.next());
            self.not_before(out, "early", event, next, because);
            return;
        };
        let verb = self.model.event_word(event.what).verb();
        let because = format!("an element {verb} only in a {words} release");
        let is_met = calendar.is_of(declared.release, kinds);
        let wrong = self.obligation("wrong-release", event, Demand::Requires(is_met), because);
        let (id, release) = (self.model.id(event.element), calendar.name(declared.release));
        let message = format!("{id} {verb} in {release}, which is no {words} release");
        let wrong = wrong.message(message);
        out.push(match calendar.first_of(kinds, declared.release) {
            Some(next) => wrong.move_to(next),
            None => wrong.help_unless_shipped(format!("delete it until the calendar lists a {words} release")),
        });
    }

    /// Adds: an alpha without a lifetime may end in any release after its introduction. If it declares none, it may end
    /// from its deprecation on.
    pub(crate) fn after_introduction(&self, out: &mut Obligations, removed: Event) {
        let introduced = removed.sibling(EventKind::Introduced);
        let term = if self.model.find_declared(introduced).is_some() {
            Term::after(introduced, Window::new(0, 1))
        } else if self.model.deprecation(removed.element, removed.life).is_some() {
            Term::at(removed.sibling(EventKind::Deprecated))
        } else {
            return;
        };
        self.not_before(out, "early", removed, term, "an alpha is removed no earlier than");
    }

    /// What could be removed now because it is alpha, and no longer is when all else permits its end (`soonest`), is
    /// deprecated while it is alpha.
    pub(crate) fn announced_as_alpha(
        &self,
        element: ElementId,
        (soonest, planned): (Find<'_, Release>, Find<'_, Option<Release>>),
    ) -> Option<Obligation> {
        let model = self.model;
        model.gates_guarding(element).next()?;
        let removed = model.last_event(element, EventKind::Removed);
        let deprecated = removed.sibling(EventKind::Deprecated);
        let is_open = model.find_declared(removed).is_none() && model.deprecation(element, removed.life).is_none();
        let now = model.track_at(element, model.first_announcement(removed));
        let is_planned_later = planned(deprecated).is_some_and(|release| model.track_at(element, release) > now);
        if !is_open || now != Track::Alpha || is_planned_later {
            return None;
        }
        let first = soonest(removed);
        let because = "an alpha that becomes more stable is deprecated before it does";
        let demand = Demand::NotBefore(Term::at(deprecated));
        (model.track_unannounced(element, first) > now).then(|| self.obligation("early", removed, demand, because))
    }

    /// The earliest end of a period after a release.
    pub(crate) fn earliest(&self, from: Release, period: &Period) -> Release {
        let windows = period.on(&self.model.calendar);
        let ends = windows.map(|window| self.model.calendar.earliest(from, window).release);
        ends.min().unwrap_or(from)
    }
}

/// The step that an element has instead of those that policies name.
fn own_step(model: &Model, element: ElementId) -> Option<EventKind> {
    match model.element(element).kind {
        ElementKind::Gate => Some(EventKind::Locked),
        ElementKind::Metric => Some(EventKind::Hidden),
        _ => None,
    }
}

/// The steps that an element can take, in their order, each with its name.
fn steps_of(model: &Model, own: Option<EventKind>) -> impl Iterator<Item = (EventKind, &str)> {
    let named = model.steps.iter().filter(move |_| own.is_none());
    let named = named.map(|(what, step)| (what, step.name.as_str()));
    own.map(|own| (own, own.as_str())).into_iter().chain(named)
}
