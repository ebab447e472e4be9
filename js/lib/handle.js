// Objects of the module.

import { EstocError } from "./library.js";

/** A new object of the module, for constructors. */
export class Made {
  /**
   * @param {import("./library.js").Library} library
   * @param {number} handle
   */
  constructor(library, handle) {
    this.library = library;
    this.handle = handle;
  }
}

/** An object of the module, which is given back when it is freed or forgotten. */
export class Handle {
  // Private, so that what prints or compares an object does not go through the memory of the module.
  #library;
  #handle;

  /**
   * @param {import("./library.js").Library} library
   * @param {number} handle
   */
  constructor(library, handle) {
    this.#library = library;
    this.#handle = handle;
    library.released.register(this, handle, this);
  }

  /** @internal */
  get library() {
    return this.#library;
  }

  /** The number that the module knows the object by. @internal */
  get handle() {
    if (this.#handle === 0) throw new EstocError("ESTOC_RELEASED", `this ${this.constructor.name} was freed`);
    return this.#handle;
  }

  /**
   * Returns the handle for a call of an instance, which must be that of the object.
   * @internal
   * @param {import("./library.js").Library} library
   */
  of(library) {
    const fault = this.library.fault ?? library.fault;
    if (fault !== undefined) throw new EstocError("ESTOC_FAULT", fault);
    if (this.library !== library) {
      throw new EstocError("ESTOC_BAD_ARGUMENT", `this ${this.constructor.name} belongs to another instance of estoc`);
    }
    return this.handle;
  }

  /** Takes the object, which is then another's. @internal */
  take() {
    const { handle } = this;
    this.library.released.unregister(this);
    this.#handle = 0;
    return handle;
  }

  /** Takes another object in place of this. @internal @param {number} handle */
  replace(handle) {
    this.free();
    this.#handle = handle;
    this.library.released.register(this, handle, this);
  }

  /** Gives the memory back, once; using the object after that is an error. Without it that happens some time later. */
  free() {
    if (this.#handle !== 0) this.library.free(this.take());
  }
}

// Declared where the engine knows it: `using mesh = new Mesh(...)`.
if (Symbol.dispose) {
  Object.defineProperty(Handle.prototype, Symbol.dispose, {
    value() {
      this.free();
    },
  });
}
