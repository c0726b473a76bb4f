import { ModelFailure } from "./model-failure.ts";

/** No event may be longer: the longest answer with every character escaped, and room for what is around it. */
export const longestEvent = 2 * 2 ** 20;

const field = /^(?::|(?:data|event|id|retry)(?::|$))/;

/** Reads the data of server-sent events from a text that comes in pieces, cut anywhere. */
export class EventStream {
  /** Pieces of a line that has not ended. */
  #line: string[] = [];
  /** The data of an event that has not ended. */
  #data: string[] = [];
  #lineSize = 0;
  #dataSize = 0;
  #isAfterReturn = false;
  #isChecked = false;

  /** The data of each event that ends in this piece; what is no stream of events is garbage. */
  *take(piece: string): Generator<string> {
    let from = 0;
    for (const { index, 0: end } of piece.matchAll(/\r\n|\n|\r/g)) {
      const isRest = index === 0 && end === "\n" && this.#isAfterReturn;
      if (!isRest) {
        const data = this.#takeLine(piece.slice(from, index));
        if (data !== undefined) yield data;
      }
      from = index + end.length;
    }
    if (piece !== "") this.#isAfterReturn = piece.endsWith("\r");
    if (from === piece.length) return;
    this.#line.push(piece.slice(from));
    this.#lineSize += piece.length - from;
    this.#checkSize();
  }

  /** The data of an event that the text ends in the middle of, or right behind. */
  finish(): string | undefined {
    return this.#takeLine("") ?? this.#endEvent();
  }

  #takeLine(rest: string): string | undefined {
    const line = this.#line.join("") + rest;
    this.#line = [];
    this.#lineSize = 0;
    if (line === "") return this.#endEvent();
    if (!this.#isChecked && !field.test(line))
      throw new ModelFailure("garbage", "The server of the model answers with something else than an answer");
    this.#isChecked = true;
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
    if (this.#lineSize + this.#dataSize > longestEvent)
      throw new ModelFailure("too_long", "The answer of the model is too long");
  }
}
