/** An event of a stream, as a client reads it. A comment has the name `comment`. */
export interface ReadEvent {
  readonly event: string;
  readonly id?: string;
  readonly data?: unknown;
}

/** Reads the events of a response one by one. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor({ body }: Response) {
    this.#reader = (body as ReadableStream<Uint8Array>).getReader();
  }

  /** Returns the next event; undefined if the stream has ended. */
  async next(): Promise<ReadEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return parseEvent(block);
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** Returns the next events. */
  async take(count: number): Promise<readonly (ReadEvent | undefined)[]> {
    const events: (ReadEvent | undefined)[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

function parseEvent(block: string): ReadEvent {
  if (block.startsWith(":")) return { event: "comment", data: block.slice(1).trim() };
  const fields = new Map(block.split("\n").map((line) => splitField(line)));
  const id = fields.get("id");
  return {
    event: fields.get("event") ?? "message",
    ...(id === undefined ? {} : { id }),
    data: JSON.parse(fields.get("data") ?? "null"),
  };
}

function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
}
