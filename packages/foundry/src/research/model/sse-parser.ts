import { ModelFailure } from "./model-failure.ts";

/** The maximum length of an event. It leaves room for the longest answer with every character escaped inside JSON. */
export const maxEventLength = 2 * 2 ** 20;

const field = /^(?::|(?:data|event|id|retry)(?::|$))/;

/** Parses server-sent events from chunks of text, which may end at any point. */
export class SseParser {
  /** The chunks of the current line. */
  #line: string[] = [];
  /** The data lines of the current event. */
  #data: string[] = [];
  #lineSize = 0;
  #dataSize = 0;
  #endedWithReturn = false;
  #isEventStream = false;

  /** Yields the data of each event that ends in this chunk. Throws if the text is not an event stream. */
  *write(chunk: string): Generator<string> {
    let from = 0;
    for (const { index, 0: end } of chunk.matchAll(/\r\n|\n|\r/g)) {
      const isSecondHalfOfCrLf = index === 0 && end === "\n" && this.#endedWithReturn;
      if (!isSecondHalfOfCrLf) {
        const data = this.#endLine(chunk.slice(from, index));
        if (data !== undefined) yield data;
      }
      from = index + end.length;
    }
    if (chunk !== "") this.#endedWithReturn = chunk.endsWith("\r");
    if (from === chunk.length) return;
    this.#line.push(chunk.slice(from));
    this.#lineSize += chunk.length - from;
    this.#checkSize();
  }

  /** Returns the data of a last event after which there was no empty line. */
  end(): string | undefined {
    return this.#endLine("") ?? this.#endEvent();
  }

  #endLine(rest: string): string | undefined {
    const line = this.#line.join("") + rest;
    this.#line = [];
    this.#lineSize = 0;
    if (line === "") return this.#endEvent();
    if (!this.#isEventStream && !field.test(line))
      throw new ModelFailure("garbage", "The server of the model answers with something else than an answer");
    this.#isEventStream = true;
    if (line !== "data" && !line.startsWith("data:")) return undefined;
    this.#data.push(line.slice(5).replace(/^ /, ""));
    this.#dataSize += line.length;
    this.#checkSize();
    return undefined;
  }

  #endEvent(): string | undefined {
    if (this.#data.length === 0) return undefined;
    const data = this.#data.join("\n");
    this.#data = [];
    this.#dataSize = 0;
    return data;
  }

  #checkSize(): void {
    if (this.#lineSize + this.#dataSize > maxEventLength)
      throw new ModelFailure("too_long", "The answer of the model is too long");
  }
}
