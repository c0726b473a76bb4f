import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

const placeholder = /^\{\{(?:([^{}:]{1,200}): ?)?([\w-]{1,100})\}\}$/;
const maxNodes = 20_000;

/** Values of the answers to the calls of a file, for placeholders in later calls. */
export class AnswerValues {
  readonly #answers: { readonly name: string | undefined; readonly payload: unknown }[] = [];

  /** Adds the payload of the answer to a call, which may have a name. */
  add(payload: unknown, name?: string): void {
    this.#answers.push({ name, payload });
  }

  /**
   * Replaces arguments such as `{{claim_token}}` by the newest value under that key, and `{{name: claim_token}}` by
   * that of the call with this name; those without a value are kept as they are.
   */
  fill(args: UnknownRecord): UnknownRecord {
    return Object.fromEntries(
      Object.entries(args).map(([name, value]) => {
        const [, call, key] = (typeof value === "string" ? placeholder.exec(value) : null) ?? [];
        return [name, key === undefined ? value : (this.#find(key, call) ?? value)];
      }),
    );
  }

  #find(key: string, call: string | undefined): unknown {
    for (const { name, payload } of this.#answers.toReversed()) {
      if (call !== undefined && name !== call) continue;
      const found = findKey(payload, key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Returns the value of a key that is nearest to the root. */
function findKey(payload: unknown, key: string): unknown {
  const queue = [payload];
  for (let next = 0; next < queue.length && next < maxNodes; next++) {
    const node = queue[next];
    if (isRecord(node) && Object.hasOwn(node, key)) return node[key];
    const inner = Array.isArray(node) ? (node as unknown[]) : isRecord(node) ? Object.values(node) : [];
    for (const value of inner.slice(0, maxNodes - queue.length)) queue.push(value);
  }
  return undefined;
}
