//! Rays that a graphics processor traces, by the WebGPU of JavaScript: the words that its kernel reads, and the answers that
//! are decided by what it writes.
//!
//! JavaScript waits for the device, which no call of the module can. So a chunk of rays is asked about twice, in the same
//! way: by a kernel that only takes the words of the rays, and by one that has what the device made of them.

use estoc_bvh::Bvh;
use estoc_c::extension::{
    Call, Failure, Held, ask_engine, call, estoc_output, estoc_question, estoc_ray_options,
    estoc_rays, estoc_status, estoc_world, give_both, room, tree_of,
};
use estoc_gpu::{Frame, GpuEngine, GpuError, Kernel, PARAM_WORDS, RayWords, TreeWords};
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, PoisonError};

/// A tree that is on a device.
struct GpuTree {
    bvh: Arc<Bvh>,
    frame: Frame,
}

/// What JavaScript knows of it.
struct GpuTreeHandle;

impl Held for GpuTree {
    type Handle = GpuTreeHandle;
    const NAME: &str = "a tree on a device";
}

/// The words of a tree, until they are on a device.
struct Uploads {
    _words: TreeWords,
}

/// What JavaScript knows of them.
struct UploadsHandle;

impl Held for Uploads {
    type Handle = UploadsHandle;
    const NAME: &str = "the words of a tree";
}

/// Makes what stands for a tree that is on a device, and its words: `places` are where those of nodes are, their number, and
/// the same of triangles.
#[unsafe(no_mangle)]
extern "C" fn estoc_js_gpu_tree(
    world: *const estoc_world,
    tree: Option<&mut MaybeUninit<*mut GpuTreeHandle>>,
    uploads: Option<&mut MaybeUninit<*mut UploadsHandle>>,
    places: Option<&mut MaybeUninit<[usize; 4]>>,
) -> estoc_status {
    call(|call| {
        let to = (room(tree, "tree")?, room(uploads, "uploads")?);
        let bvh = tree_of(call, world)?.ok_or_else(|| {
            let sentence = "a device takes the tree of a mesh in floats without a frame; ask a Batch about others";
            Failure::new(estoc_status::ESTOC_UNSUPPORTED, sentence)
        })?;
        let words = TreeWords::of(&bvh).map_err(|_| {
            let sentence = "there is no memory for what a device reads of the tree; ask a Batch";
            Failure::new(estoc_status::ESTOC_NO_MEMORY, sentence)
        })?;
        let of = |words: &[u32]| [words.as_ptr().addr(), words.len()];
        let [[nodes, node_words], [triangles, triangle_words]] =
            [of(&words.nodes), of(&words.triangles)];
        room(places, "places")?.write([nodes, node_words, triangles, triangle_words]);
        let frame = words.frame;
        give_both((GpuTree { bvh, frame }, Uploads { _words: words }), to)
    })
}

/// Takes the words of rays, and says that they hit nothing, which nobody reads.
struct Taking<'a> {
    frame: Frame,
    part: u32,
    to: Mutex<(&'a mut [MaybeUninit<u32>], &'a mut [u32; PARAM_WORDS])>,
}

impl Kernel for Taking<'_> {
    fn run(&self, rays: &RayWords, decide: &mut dyn FnMut(&[u32])) -> Result<(), GpuError> {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        let (words, params) = &mut *to;
        if let Some(words) = words.get_mut(..rays.words.len()) {
            words.write_copy_of_slice(&rays.words);
            **params = (self.frame).params(rays, rays.wanted.answer_words(), self.part);
        }
        decide(&[]);
        Ok(())
    }
}

/// Has the words that a device wrote.
struct Having<'a>(&'a [u32]);

impl Kernel for Having<'_> {
    fn run(&self, rays: &RayWords, decide: &mut dyn FnMut(&[u32])) -> Result<(), GpuError> {
        if self.0.len() != rays.rays() * rays.wanted.answer_words() {
            let reason = "the answers of other rays are given".to_owned();
            return Err(GpuError::Failed { reason });
        }
        decide(self.0);
        Ok(())
    }
}

/// A question about rays, and where the answers are written.
#[repr(C)]
struct Asked<'a> {
    question: estoc_question,
    rays: Option<&'a estoc_rays>,
    options: Option<&'a estoc_ray_options>,
    outputs: *const estoc_output,
    output_count: usize,
}

impl Asked<'_> {
    fn ask(&self, call: &Call, engine: &GpuEngine<'_>) -> Result<(), Failure> {
        let outputs = (self.outputs, self.output_count);
        ask_engine(
            call,
            engine,
            (self.question, self.rays),
            self.options,
            outputs,
        )
    }
}

/// Writes what the kernel reads about rays: `words`, for which there is room for nine of each, and its parameters, with
/// triangles in buffers of two to the `part`. The parameters stay as they are where there is nothing for the kernel to do,
/// as for rays whose numbers are not all floats. What the outputs have then are no answers.
#[unsafe(no_mangle)]
extern "C" fn estoc_js_gpu_rays(
    tree: *const GpuTreeHandle,
    asked: &Asked<'_>,
    part: u32,
    words: *mut MaybeUninit<u32>,
    params: &mut [u32; PARAM_WORDS],
) -> estoc_status {
    call(|call| {
        let tree: &GpuTree = call.get(tree)?;
        let count = asked.rays.map_or(0, |rays| rays.count);
        // SAFETY: `gpu.js` passes new memory of this size, aligned to 16 bytes, which nothing else uses during the call.
        let words = unsafe { std::slice::from_raw_parts_mut(words, 9 * count) };
        let kernel = Taking {
            frame: tree.frame,
            part,
            to: Mutex::new((words, params)),
        };
        let engine = GpuEngine::new(&tree.bvh, tree.frame, &kernel, false);
        asked.ask(call, &engine)
    })
}

/// Answers a question about rays by what the kernel wrote about them, `answer_count` words.
#[unsafe(no_mangle)]
extern "C" fn estoc_js_gpu_answer(
    tree: *const GpuTreeHandle,
    asked: &Asked<'_>,
    answers: *const u32,
    answer_count: usize,
) -> estoc_status {
    call(|call| {
        let tree: &GpuTree = call.get(tree)?;
        // SAFETY: `gpu.js` passes as many words, which nothing writes to during the call.
        let answers = unsafe { std::slice::from_raw_parts(answers, answer_count) };
        let kernel = Having(answers);
        let engine = GpuEngine::new(&tree.bvh, tree.frame, &kernel, true);
        asked.ask(call, &engine)
    })
}
