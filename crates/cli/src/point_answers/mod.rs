//! Answers about the points of a file, in the order of the points: what `contains` and `near` share.

mod columns;
mod rows;

pub(crate) use columns::AnswerColumn;

use crate::common::Session;
use crate::failure::Failure;
use crate::item_reader::{Chunk, ItemReader};
use crate::mesh_source::MeshSource;
use crate::model::Opened;
use crate::number::counted;
use crate::output_name::Form;
use crate::tree_args::TreeArgs;
use columns::Columns;
use estoc::Bvh;
use estoc::glam::Vec3;
use rows::Rows;
use std::path::Path;

/// Points in memory at a time, with their answers.
const CHUNK: usize = 1 << 14;

/// What a verb about points is given.
pub(crate) struct PointAnswers<'a> {
    pub(crate) mesh: &'a MeshSource,
    /// The file of points; `-` is stdin.
    pub(crate) points: &'a Path,
    /// The names of the columns of the result; empty for the default ones.
    pub(crate) columns: &'a [String],
    pub(crate) tree: TreeArgs,
    pub(crate) session: &'a Session,
    /// What points that are not finite are, for a note.
    pub(crate) not_finite: &'a str,
}

impl PointAnswers<'_> {
    /// Reads all points and writes a row for each. `check` refuses a mesh; `ask` replaces the
    /// answers by those about the points.
    pub(crate) fn write<C: AnswerColumn>(
        &self,
        check: impl FnOnce(&Opened) -> Result<(), Failure>,
        ask: impl Fn(&Bvh, &[Vec3], &mut Vec<C::Answer>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let session = self.session;
        let from_stdin = self.points.as_os_str() == "-";
        if from_stdin && matches!(self.mesh, MeshSource::Stdin) {
            let problem =
                "stdin cannot be both the mesh and the points; name a file for one of them";
            return Err(Failure::Usage(problem.into()));
        }
        // Open the points first, so that a mistyped name fails before a large mesh is loaded.
        let (mut source, progress) = ItemReader::<Vec3>::open(self.points)?;
        for (name, known) in source.lookalikes() {
            session.note(format_args!(
                "{}: the column {name:?} is ignored; rename it to {known} to use it",
                self.points.display()
            ));
        }
        let mut columns = Columns::<C>::usual();
        if !self.columns.is_empty() {
            let (chosen, passed) = Columns::chosen(self.columns, source.columns())?;
            source.pass_through(passed);
            columns = chosen;
        }
        let mut inputs = self.mesh.files();
        inputs.extend((!from_stdin).then_some(self.points));
        let output = session.output(Form::Csv, &inputs)?;
        let opened = Opened::open(self.mesh, self.tree, session)?;
        let bvh = opened.model().bvh;
        check(&opened)?;
        let mut rows = Rows::begin(output, columns, session.json())?;
        let bar = session.progress("querying", progress.total());
        let (mut points, mut answers) = (Chunk::default(), Vec::new());
        let mut not_finite = 0;
        let mut ask_all = || loop {
            let read = source.read(&mut points, CHUNK);
            // Answer the points before a bad line, too.
            not_finite += (points.items.iter().filter(|point| !point.is_finite())).count();
            ask(bvh, &points.items, &mut answers)?;
            for (item, answer) in answers.iter().enumerate() {
                rows.put(answer, (&points.cells, item))?;
            }
            read?;
            bar.set(progress.done());
            session.check_interrupt()?;
            if points.items.is_empty() {
                return Ok(());
            }
        };
        let asked = ask_all();
        if not_finite > 0 {
            let points = counted(not_finite, "point");
            session.note(format_args!(
                "{}: {points} with a coordinate that is not finite: {}",
                self.points.display(),
                self.not_finite
            ));
        }
        match asked {
            Ok(()) => rows.end(),
            Err(failure) => Err(rows.fail(failure)),
        }
    }
}
