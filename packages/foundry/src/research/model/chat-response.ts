import { isRecord } from "@foundry-mcp/contract";
import { EventStream, longestEvent } from "./sse-parser.ts";
import { ModelFailure } from "./model-failure.ts";

/** No answer may be longer, in bytes. */
const longestAnswer = 256 * 2 ** 10;
/** Some two hundred bytes come around each word of a streamed answer, and what the model thinks is streamed too. */
const longestBody = 32 * 2 ** 20;

/** An answer on its way: one JSON object, or a stream of events, as its beginning tells. */
export class ChatAnswer {
  readonly #decoder = new TextDecoder();
  readonly #events = new EventStream();
  /** Pieces of the one object; undefined where the answer is streamed. */
  #whole: string[] | undefined;
  #isBegun = false;
  #bodySize = 0;
  #content = "";
  #contentSize = 0;

  /** Takes what came; gives the answer once it has ended, although more may come. */
  take(chunk: Uint8Array): string | undefined {
    this.#bodySize += chunk.length;
    if (this.#bodySize > (this.#whole === undefined ? longestBody : longestEvent)) throw tooLong();
    return this.#takeText(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The answer, now that nothing more comes. */
  finish(): string {
    const answer = this.#takeText(this.#decoder.decode());
    if (answer !== undefined) return answer;
    if (this.#whole !== undefined) return this.#readWhole(this.#whole.join(""));
    const last = this.#events.finish();
    // Half an event that came last is what shows that the stream was cut.
    if (last !== undefined && (last.trim() === endMark || parse(last) !== undefined)) {
      const ended = this.#takeEvent(last);
      if (ended !== undefined) return ended;
    }
    throw new ModelFailure("cut_off", "The answer of the model ends in the middle");
  }

  #takeText(text: string): string | undefined {
    const piece = this.#isBegun ? text : text.trimStart();
    if (piece === "") return undefined;
    if (!this.#isBegun && piece.startsWith("{")) this.#whole = [];
    this.#isBegun = true;
    if (this.#whole !== undefined) {
      this.#whole.push(piece);
      return undefined;
    }
    for (const data of this.#events.take(piece)) {
      const answer = this.#takeEvent(data);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  #takeEvent(data: string): string | undefined {
    if (data.trim() === endMark) return this.#end();
    const choice = toChoice(parse(data));
    if (choice === undefined) return undefined;
    this.#add(choice["delta"] ?? {});
    return isEnd(choice["finish_reason"]) ? this.#end() : undefined;
  }

  #readWhole(text: string): string {
    const choice = toChoice(parse(text));
    if (choice === undefined) throw garbage("has no text");
    isEnd(choice["finish_reason"]);
    this.#add(choice["message"]);
    return this.#end();
  }

  #add(message: unknown): void {
    if (!isRecord(message)) throw garbage("is of another form than agreed");
    // An event may tell of the role alone, and a model that calls a tool says nothing.
    const content = message["content"] ?? "";
    if (typeof content !== "string") throw garbage("is of another form than agreed");
    this.#contentSize += Buffer.byteLength(content);
    if (this.#contentSize > longestAnswer) throw tooLong();
    this.#content += content;
  }

  #end(): string {
    if (this.#content.trim() === "") throw garbage("has no text");
    return this.#content;
  }
}

const endMark = "[DONE]";

/** The first of the answers in an object; undefined where it tells of something else than answers. */
function toChoice(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) throw garbage("is no JSON");
  // What the server says of it is not repeated: it may quote the request.
  if (value["error"] !== undefined && value["error"] !== null)
    throw new ModelFailure("refused", "The server of the model answers with an error");
  const { choices } = value;
  if (!Array.isArray(choices)) throw garbage("is of another form than agreed");
  const first: unknown = choices.find((each) => isRecord(each) && (each["index"] ?? 0) === 0);
  if (first === undefined && choices.length > 0 && !choices.every(isRecord))
    throw garbage("is of another form than agreed");
  return first as Readonly<Record<string, unknown>> | undefined;
}

/** True where an answer has ended as it should; of other ends only those are known that spoil it. */
function isEnd(reason: unknown): boolean {
  if (reason === "length")
    throw new ModelFailure("cut_off", "The answer of the model was cut off at its most tokens");
  if (reason === "content_filter")
    throw new ModelFailure("refused", "The server of the model withholds the answer");
  return reason === "stop";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function garbage(what: string): ModelFailure {
  return new ModelFailure("garbage", `The answer of the model ${what}`);
}

function tooLong(): ModelFailure {
  return new ModelFailure("too_long", "The answer of the model is too long");
}
