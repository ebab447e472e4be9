// One instance of the WebAssembly module: its memory, its calls, and what ends them.

/** Why a call failed. `code` is the name of a status of the C library, such as `ESTOC_BAD_MESH`. */
export class EstocError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "EstocError";
    this.code = code;
  }
}

const SIZES = { i32: 4, u32: 4, f64: 8, u64: 8 };

/** How the fields of a C struct lie in memory, by a text such as "threads:u32 most:u64 corners:f64*3". */
export class Struct {
  /**
   * @param {string} text
   * @param {Record<string, Struct>} parts the structs that are types of fields
   */
  constructor(text, parts = {}) {
    /** @type {Record<string, number>} */
    this.at = {};
    /** @type {[string, string, number][]} */
    this.fields = [];
    this.align = 4;
    let end = 0;
    for (const field of text.split(" ")) {
      const [, name, type, count] = /** @type {RegExpMatchArray} */ (field.match(/^(\w+):(\w+)\*?(\d*)$/));
      const part = parts[type];
      const [size, align] = part ? [part.size, part.align] : [SIZES[type], SIZES[type]];
      const start = Math.ceil(end / align) * align;
      end = start + size * Number(count || 1);
      this.align = Math.max(this.align, align);
      if (part) {
        for (const [inner, innerType, at] of part.fields) this.#add(`${name}.${inner}`, innerType, start + at);
      } else {
        for (let i = 0; i < Number(count || 1); i += 1) this.#add(count ? `${name}.${i}` : name, type, start + size * i);
      }
    }
    this.size = Math.ceil(end / this.align) * this.align;
  }

  /**
   * Reads all fields.
   * @param {DataView} view
   * @param {number} start
   * @returns {Record<string, number | bigint>}
   */
  read(view, start) {
    return Object.fromEntries(this.fields.map(([name, type, at]) => [name, view[GETTERS[type]](start + at, true)]));
  }

  #add(name, type, at) {
    this.fields.push([name, type, at]);
    this.at[name] = at;
  }
}

const GETTERS = { i32: "getInt32", u32: "getUint32", f64: "getFloat64", u64: "getBigUint64" };
const SETTERS = { i32: "setInt32", u32: "setUint32", f64: "setFloat64", u64: "setBigUint64" };

/** Memory that is given back at the end of a call. */
class Arena {
  /** @param {Library} library */
  constructor(library) {
    this.library = library;
    /** @type {[number, number][]} */
    this.blocks = [];
  }

  /**
   * Returns memory for a number of bytes.
   * @param {number} size
   */
  allocate(size) {
    const start = this.library.call("estoc_js_allocate", Math.max(size, 1)) >>> 0;
    if (start === 0) throw new EstocError("ESTOC_NO_MEMORY", `there is no memory for ${size} bytes; pass less at a time`);
    this.blocks.push([start, Math.max(size, 1)]);
    return start;
  }

  /**
   * Copies a typed array, and returns where.
   * @param {import("./types.js").Numbers} array
   */
  copy(array) {
    const start = this.allocate(array.byteLength);
    const to = new Uint8Array(this.library.memory.buffer, start, array.byteLength);
    to.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return start;
  }

  /**
   * Copies bytes, and returns where, and their number.
   * @param {any} given a buffer, or a view of one
   */
  bytes(given) {
    const isView = ArrayBuffer.isView(given);
    if (!isView && !/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(given))) {
      throw new TypeError("the bytes are no ArrayBuffer, and no view of one");
    }
    const bytes = isView ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : new Uint8Array(given);
    return [this.copy(bytes), bytes.length];
  }

  /**
   * Copies a text.
   * @param {string} text
   */
  text(text) {
    return this.copy(new TextEncoder().encode(`${text}\0`));
  }

  /**
   * Writes a struct; fields that are not given are 0.
   * @param {Struct} struct
   * @param {Record<string, number | bigint>} values
   */
  struct(struct, values) {
    const start = this.allocate(struct.size);
    new Uint8Array(this.library.memory.buffer, start, struct.size).fill(0);
    const view = this.library.view();
    for (const [name, type, at] of struct.fields) {
      if (values[name] !== undefined) view[SETTERS[type]](start + at, values[name], true);
    }
    return start;
  }

  free() {
    for (const [start, size] of this.blocks) this.library.call("estoc_js_free", start, size);
    this.blocks.length = 0;
  }
}

/** An instance of the module. */
export class Library {
  /**
   * Starts an instance.
   * @param {WebAssembly.Module} module
   */
  static async start(module) {
    /** @type {Library} */
    let library;
    const called = (user, ...given) => library.#calledBack(user, given);
    const imports = {
      failed: (start, length) => {
        library.fault = library.text(start, length);
      },
      progress: called,
      filter: called,
      visit: called,
      visit_pair: called,
      visit_node: called,
      write: called,
    };
    const { exports } = await WebAssembly.instantiate(module, { estoc: imports });
    library = new Library(module, exports);
    return library;
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Exports} exports
   */
  constructor(module, exports) {
    /** What workers start. */
    this.module = module;
    /** The sentence of the fault after which nothing works. @type {string | undefined} */
    this.fault = undefined;
    /** Functions that are called back, by the number that the library passes to them. @type {Function[]} */
    this.callbacks = [];
    /** What one of them threw. @type {{ error: unknown } | undefined} */
    this.thrown = undefined;
    /** The number of calls that run: those inside callbacks run inside others. */
    this.depth = 0;
    /** The handles that were freed while calls that may use them run. @type {number[]} */
    this.freed = [];
    /** @type {Record<string, Function>} */
    this.functions = /** @type {any} */ (exports);
    /** @type {WebAssembly.Memory} */
    this.memory = /** @type {any} */ (exports.memory);
    this.data = new DataView(this.memory.buffer);
    this.doubles = new Float64Array(this.memory.buffer);
    this.words = new Uint32Array(this.memory.buffer);
    this.call("estoc_js_start");
    /** Memory for one ray, its hit and its options. */
    this.scratch = this.arena().allocate(256);
    new Uint8Array(this.memory.buffer, this.scratch, 256).fill(0);
    /** Questions about one point, by what they have in memory. @type {Map<string, any>} */
    this.prepared = new Map();
    // Never called during a call of the module.
    this.released = new FinalizationRegistry((handle) => {
      if (this.fault === undefined) this.functions.estoc_release(handle);
    });
  }

  #calledBack(user, given) {
    if (this.thrown) return 0;
    try {
      return this.callbacks[user - 1](...given) === false ? 0 : 1;
    } catch (error) {
      this.thrown = { error };
      return 0;
    }
  }

  /** Returns the memory as it is now: it moves when it grows, and views of it as it was are empty then. */
  view() {
    if (this.words.length === 0) {
      this.data = new DataView(this.memory.buffer);
      this.doubles = new Float64Array(this.memory.buffer);
      this.words = new Uint32Array(this.memory.buffer);
    }
    return this.data;
  }

  /**
   * Calls a function of the module.
   * @param {string} name
   * @param {...number} given
   */
  call(name, ...given) {
    if (this.fault !== undefined) throw new EstocError("ESTOC_FAULT", this.fault);
    this.depth += 1;
    try {
      return this.functions[name](...given);
    } catch (error) {
      // Nothing that JavaScript throws passes the module, so this is a trap, or the end of the stack.
      this.fault ??= `a fault of estoc: ${error}`;
      this.fault += "; nothing that was made before works any more, and init() starts anew";
      throw new EstocError("ESTOC_FAULT", this.fault);
    } finally {
      this.depth -= 1;
      if (this.depth === 0 && this.freed.length > 0) this.#releaseFreed();
    }
  }

  /**
   * Releases a handle that no call uses.
   * @param {number} handle
   */
  release(handle) {
    if (this.fault === undefined) this.ask("estoc_release", handle);
  }

  /**
   * Releases a handle, now or when the calls that run, which may use it, have ended.
   * @param {number} handle
   */
  free(handle) {
    if (this.depth > 0) this.freed.push(handle);
    else this.release(handle);
  }

  #releaseFreed() {
    const handles = this.freed;
    this.freed = [];
    for (const handle of handles) this.release(handle);
  }

  /**
   * Calls a function that returns a status.
   * @param {string} name
   * @param {...number} given
   */
  ask(name, ...given) {
    const status = this.call(name, ...given);
    if (status !== 0 || this.thrown) this.#fail(status);
  }

  #fail(status) {
    const { thrown } = this;
    this.thrown = undefined;
    if (thrown) throw thrown.error;
    const code = this.text(this.call("estoc_status_name", status));
    throw new EstocError(code, inWordsOfJavaScript(code, this.text(this.call("estoc_last_error"))));
  }

  /**
   * Makes objects by a function that is told where their handles are written, and returns these. Releases what was made if
   * it fails.
   * @param {Arena} arena
   * @param {number} count
   * @param {(...places: number[]) => void} ask
   */
  make(arena, count, ask) {
    const start = arena.copy(new Uint32Array(count));
    const places = Array.from({ length: count }, (_, i) => start + 4 * i);
    const handles = () => places.map((place) => this.view().getUint32(place, true));
    try {
      ask(...places);
    } catch (error) {
      if (this.fault === undefined) for (const handle of handles()) if (handle !== 0) this.release(handle);
      throw error;
    }
    return handles();
  }

  /** Returns memory that nothing gives back unless it is told to. */
  arena() {
    return new Arena(this);
  }

  /**
   * Runs work with memory that is given back after it.
   * @template T
   * @param {(arena: Arena) => T} work
   * @returns {T}
   */
  with(work) {
    const arena = this.arena();
    const count = this.callbacks.length;
    try {
      return work(arena);
    } finally {
      this.callbacks.length = count;
      if (this.fault === undefined) arena.free();
    }
  }

  /**
   * Lets a function be called back until the work ends. Returns what the library calls, and what it passes.
   * @param {number} which
   * @param {Function} callback
   */
  callback(which, callback) {
    return [this.call("estoc_js_callback", which), this.callbacks.push(callback)];
  }

  /**
   * Returns a text of the module.
   * @param {number} start
   * @param {number} [length] up to its zero without one
   */
  text(start, length) {
    const bytes = new Uint8Array(this.memory.buffer);
    // Addresses of the module are negative from 2^31 on.
    const from = start >>> 0;
    const end = length === undefined ? bytes.indexOf(0, from) : from + length;
    // A copy, as texts of shared memory are not decoded.
    return new TextDecoder().decode(bytes.slice(from, end));
  }
}

/** Returns a sentence of the C library, with what JavaScript calls otherwise. */
function inWordsOfJavaScript(code, sentence) {
  if (code !== "ESTOC_NOT_F32") {
    return sentence.replace(" in ESTOC_F64", ' with precision: "f64"').replace("skip_bad_faces of estoc_mesh_options", "skipBadFaces: true");
  }
  // A ball has floats at meshes in doubles, too.
  const other = sentence.startsWith("the ball") ? "" : ', or make the mesh with precision: "f64"';
  return `${sentence.split(";")[0]}; round each number by Math.fround${other}`;
}

/** @type {Library | undefined} */
let current;
/** That which starts. @type {Promise<void> | undefined} */
let pending;

/** Returns the instance that new objects belong to. */
export function library() {
  if (!current) throw new Error("estoc is not loaded: await init() before anything else");
  return current;
}

// simd128 is found out by a function that uses it.
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/**
 * Loads the WebAssembly, once; anything else of estoc needs that. After a fault, from which nothing that was made before
 * recovers, it starts anew.
 * @param {WebAssembly.Module | BufferSource | Response | string | URL} [source] the module, its bytes, or where they are:
 *   beside this file without one
 */
export async function init(source) {
  if (current && current.fault === undefined) return;
  if (!WebAssembly.validate(new Uint8Array(SIMD))) {
    throw new Error("estoc needs WebAssembly with SIMD (simd128): Chrome 91, Firefox 89, Safari 16.4, Node 18 or later");
  }
  // One start for all who wait. One that failed is forgotten.
  pending ??= start(source).finally(() => {
    pending = undefined;
  });
  await pending;
}

async function start(source) {
  current = await Library.start(await moduleOf(source ?? new URL("../estoc.wasm", import.meta.url)));
}

/** @returns {Promise<WebAssembly.Module>} */
async function moduleOf(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string" || source instanceof URL) {
    if (String(source).startsWith("file:")) {
      // In a variable, so that bundlers do not look for it.
      const files = "node:fs/promises";
      const { readFile } = await import(/* @vite-ignore */ files);
      return WebAssembly.compile(await readFile(new URL(source)));
    }
    return moduleOf(await fetch(source));
  }
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}; the file estoc.wasm is not there`);
    // Not compiled as it streams in, which servers that do not know the type application/wasm would stop.
    const bytes = await source.arrayBuffer();
    if (new TextDecoder().decode(bytes.slice(0, 4)) !== "\0asm") {
      throw new Error(`${source.url} is no WebAssembly; tell init() where estoc.wasm is, or keep your bundler from moving estoc`);
    }
    return WebAssembly.compile(bytes);
  }
  return WebAssembly.compile(source);
}
