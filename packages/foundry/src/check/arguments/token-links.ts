import { getOwn } from "../schemas/json-schema.ts";

const maxLinks = 500;
const maxTokenLength = 1_000;

interface TokenLink {
  readonly ids: ReadonlyMap<string, unknown>;
  readonly name: string;
  readonly token: string;
}

/** Returns true for the name of a parameter that holds an id. */
export function isId(name: string): boolean {
  return /(?:^|_)id$/i.test(name);
}

/** Returns true for the name of a parameter that holds a token. */
export function isToken(name: string): boolean {
  return /(?:^|_)token$/i.test(name);
}

/**
 * Records which token came with which ids in an answer, because a token is valid only for the object for which it was
 * issued.
 */
export class TokenLinks {
  readonly #links: TokenLink[] = [];

  /** Returns the keys under which answers contained tokens. */
  get names(): readonly string[] {
    return [...new Set(this.#links.map(({ name }) => name))];
  }

  /** Records the tokens of an object that also has ids, such as `{ task_id, claim_token }`. */
  learn(object: object, names: readonly string[]): void {
    const tokens = names.filter((name) => isToken(name));
    if (tokens.length === 0) return;
    const ids = new Map(names.filter((name) => isId(name)).map((name) => [name, getOwn(object, name)]));
    for (const name of ids.size === 0 ? [] : tokens) {
      const token = getOwn(object, name);
      if (typeof token !== "string" || token.length > maxTokenLength) continue;
      this.#links.push({ ids, name, token });
      if (this.#links.length > maxLinks) this.#links.shift();
    }
  }

  /**
   * Returns the newest token for the object that the arguments name. If the arguments contain several ids,
   * the last id decides, because the last id is the most specific.
   */
  find(name: string, args: object): string | undefined {
    const asked = Object.entries(args).filter(([each]) => isId(each));
    const last = asked.at(-1)?.[0];
    if (last === undefined) return undefined;
    return this.#links.findLast(
      (link) =>
        link.name === name &&
        link.ids.has(last) &&
        asked.every(([each, value]) => !link.ids.has(each) || link.ids.get(each) === value),
    )?.token;
  }
}
