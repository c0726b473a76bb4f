import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

const placeholder = /^\{\{(?:([^{}:]{1,200}): ?)?([\w-]{1,100})\}\}$/;
const maxNodes = 20_000;

/** Collects values from the answers to the calls of a calls file, for the placeholders in later calls. */
export class AnswerValues {
  readonly #answers: { readonly name: string | undefined; readonly payload: unknown }[] = [];

  /** Adds the payload of the answer to a call. `name` is the name of the call, if the call has a name. */
  add(payload: unknown, name?: string): void {
    this.#answers.push({ name, payload });
  }

  /**
   * Replaces a placeholder such as `{{claim_token}}` by the newest value under the key `claim_token`. Replaces
   * `{{name: claim_token}}` by the value of that key in the answer to the call called `name`. A placeholder for which
   * there is no value is not replaced.
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

/**
 * Returns the value of a key. If the key occurs several times, the occurrence nearest to the root counts.
 */
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
