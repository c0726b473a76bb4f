const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** The maximum length in bytes of a key or value that is collected. */
const maxTokenBytes = 1_024;

/**
 * Finds members of a JSON object in a stream of bytes without storing other data. The scanner reads the id of
 * a request that is too long to be buffered; this id may be at the end of the request. The scanner finds only
 * members whose values are strings, numbers, booleans or null.
 */
export class MemberScanner {
  /** The members found so far. */
  readonly found = new Map<string, unknown>();
  readonly #names: ReadonlySet<string>;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** The key whose value is being read. */
  #key: unknown;
  /** The bytes of the key or value that is being read; undefined if these bytes are not collected. */
  #token: number[] | undefined;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  write(bytes: Uint8Array): void {
    // The bytes are read with an index loop, because an iterator takes three times as long and a line may
    // have hundreds of megabytes.
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      if (this.#isString) this.#takeInString(byte);
      else this.#take(byte);
    }
  }

  #takeInString(byte: number): void {
    if (this.#depth === 1) this.#collect(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isString = false;
  }

  #take(byte: number): void {
    switch (byte) {
      case quote:
        this.#isString = true;
        if (this.#depth === 1) this.#collect(byte);
        return;
      case openList:
      case openObject:
        // A list at the root has no members; its items are treated as values without a key.
        this.#token = this.#depth === 0 && byte === openObject ? [] : undefined;
        this.#depth += 1;
        return;
      case closeList:
      case closeObject:
        if (this.#depth === 1) this.#endValue();
        this.#depth -= 1;
        return;
      case colon:
        if (this.#depth === 1) this.#endKey();
        return;
      case comma:
        if (this.#depth === 1) this.#endValue();
        return;
      default:
        if (this.#depth === 1) this.#collect(byte);
    }
  }

  #collect(byte: number): void {
    if (this.#token === undefined) return;
    if (this.#token.length < maxTokenBytes) this.#token.push(byte);
    else this.#token = undefined;
  }

  #endKey(): void {
    this.#key = this.#parseToken();
    this.#token = [];
  }

  #endValue(): void {
    const key = this.#key;
    const value = this.#parseToken();
    if (typeof key === "string" && this.#names.has(key) && value !== undefined) this.found.set(key, value);
    this.#key = undefined;
    this.#token = [];
  }

  #parseToken(): unknown {
    if (this.#token === undefined) return undefined;
    try {
      return JSON.parse(Buffer.from(this.#token).toString("utf8"));
    } catch {
      return undefined;
    }
  }
}
