import { toServedName, withHash } from "../config/served-name.ts";

/** The names that the tools or prompts of all upstreams have in the gateway. */
export class ServedNames {
  readonly #owners = new Map<string, string>();

  /** `reserved` are names that no upstream may have. */
  constructor(reserved: readonly string[]) {
    for (const name of reserved) this.#owners.set(toKey(name), "");
  }

  /** Returns the name for an item: the wanted name, or one with a hash if another item has the wanted one. */
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

  /** Makes the name of an item that no longer exists free for others. */
  release(name: string): void {
    this.#owners.delete(toKey(name));
  }
}

/** Names that differ only in `_` and `-` are one name for the registry. */
function toKey(name: string): string {
  return name.replaceAll("_", "-");
}
