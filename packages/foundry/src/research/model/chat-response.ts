import { isRecord } from "@foundry-mcp/contract";
import { parseJson } from "./extract-json.ts";
import { ModelFailure } from "./model-failure.ts";
import { maxEventLength, SseParser } from "./sse-parser.ts";

/** The maximum size of an answer, in bytes. */
const maxAnswerBytes = 256 * 2 ** 10;
/**
 * The maximum size of a streamed body. A stream has about 200 bytes per word, and includes the model's reasoning.
 */
const maxBodyBytes = 32 * 2 ** 20;

/**
 * Parses a chat response as it arrives. The first character shows whether the response is one JSON object or a stream
 * of events.
 */
export class ChatResponseParser {
  readonly #decoder = new TextDecoder();
  readonly #events = new SseParser();
  /** The chunks of the JSON object. Undefined for a stream of events. */
  #jsonChunks: string[] | undefined;
  #hasBegun = false;
  #bodySize = 0;
  #content = "";
  #contentSize = 0;

  /** Adds a chunk of the body. Returns the answer as soon as the answer is complete. */
  write(chunk: Uint8Array): string | undefined {
    this.#bodySize += chunk.length;
    if (this.#bodySize > (this.#jsonChunks === undefined ? maxBodyBytes : maxEventLength)) throw tooLong();
    return this.#writeText(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Returns the answer at the end of the body. Throws a ModelFailure if the answer is incomplete. */
  end(): string {
    const answer = this.#writeText(this.#decoder.decode());
    if (answer !== undefined) return answer;
    if (this.#jsonChunks !== undefined) return this.#parseJson(this.#jsonChunks.join(""));
    const last = this.#events.end();
    // An incomplete last event shows that the stream was cut off.
    if (last !== undefined && (last.trim() === doneMarker || parseJson(last) !== undefined)) {
      const ended = this.#writeEvent(last);
      if (ended !== undefined) return ended;
    }
    throw new ModelFailure("cut_off", "The answer of the model ends in the middle");
  }

  #writeText(text: string): string | undefined {
    const chunk = this.#hasBegun ? text : text.trimStart();
    if (chunk === "") return undefined;
    if (!this.#hasBegun && chunk.startsWith("{")) this.#jsonChunks = [];
    this.#hasBegun = true;
    if (this.#jsonChunks !== undefined) {
      this.#jsonChunks.push(chunk);
      return undefined;
    }
    for (const data of this.#events.write(chunk)) {
      const answer = this.#writeEvent(data);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  #writeEvent(data: string): string | undefined {
    if (data.trim() === doneMarker) return this.#complete();
    const choice = toChoice(parseJson(data));
    if (choice === undefined) return undefined;
    this.#addContent(choice["delta"] ?? {});
    return isFinished(choice["finish_reason"]) ? this.#complete() : undefined;
  }

  #parseJson(text: string): string {
    const choice = toChoice(parseJson(text));
    if (choice === undefined) throw garbage("has no text");
    isFinished(choice["finish_reason"]);
    this.#addContent(choice["message"]);
    return this.#complete();
  }

  #addContent(message: unknown): void {
    if (!isRecord(message)) throw garbage("is of another form than agreed");
    // An event may contain only the role, and a tool call has no content.
    const content = message["content"] ?? "";
    if (typeof content !== "string") throw garbage("is of another form than agreed");
    this.#contentSize += Buffer.byteLength(content);
    if (this.#contentSize > maxAnswerBytes) throw tooLong();
    this.#content += content;
  }

  #complete(): string {
    if (this.#content.trim() === "") throw garbage("has no text");
    return this.#content;
  }
}

const doneMarker = "[DONE]";

/**
 * Returns the first choice of a response object. Returns undefined if there is no choice, as in an event with usage
 * figures.
 */
function toChoice(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) throw garbage("is no JSON");
  // The server's error message is not repeated, because it may quote the request.
  if (value["error"] !== undefined && value["error"] !== null)
    throw new ModelFailure("refused", "The server of the model answers with an error");
  const { choices } = value;
  if (!Array.isArray(choices)) throw garbage("is of another form than agreed");
  const first: unknown = choices.find((each) => isRecord(each) && (each["index"] ?? 0) === 0);
  if (first === undefined && choices.length > 0 && !choices.every(isRecord))
    throw garbage("is of another form than agreed");
  return first as Readonly<Record<string, unknown>> | undefined;
}

/** Returns true if the model has finished. Throws if the answer was cut off or withheld. */
function isFinished(reason: unknown): boolean {
  if (reason === "length")
    throw new ModelFailure("cut_off", "The answer of the model was cut off at its most tokens");
  if (reason === "content_filter")
    throw new ModelFailure("refused", "The server of the model withholds the answer");
  return reason === "stop";
}

function garbage(what: string): ModelFailure {
  return new ModelFailure("garbage", `The answer of the model ${what}`);
}

function tooLong(): ModelFailure {
  return new ModelFailure("too_long", "The answer of the model is too long");
}
