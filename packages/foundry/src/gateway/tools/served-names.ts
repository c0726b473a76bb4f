import { toServedName, withHash } from "../config/served-name.ts";

/** Assigns unique names to the tools or prompts of all upstreams. */
export class ServedNames {
  readonly #owners = new Map<string, string>();

  /** Creates an empty set of names. No upstream may use a name in `reserved`. */
  constructor(reserved: readonly string[]) {
    for (const name of reserved) this.#owners.set(toKey(name), "");
  }

  /** Reserves a name for an item: the wanted name, or the wanted name with a hash if another item already has it. */
  take(wanted: string, upstream: string, item: string): string {
    const owner = `${upstream}\0${item}`;
    const name = toServedName(wanted);
    for (const candidate of [name, withHash(name, owner)]) {
      const known = this.#owners.get(toKey(candidate));
      if (known !== undefined && known !== owner) continue;
      this.#owners.set(toKey(candidate), owner);
      return candidate;
    }
    return withHash(name, `${owner}\0${this.#owners.size}`);
  }

  /** Releases the name of an item that no longer exists, so that another item can use it. */
  release(name: string): void {
    this.#owners.delete(toKey(name));
  }
}

/** Converts a name to the form in which names are compared. The registry treats `_` and `-` as the same character. */
function toKey(name: string): string {
  return name.replaceAll("_", "-");
}
