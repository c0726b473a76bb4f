import { MemberScanner } from "../wire/member-scanner.ts";
import { type AnswerId, answerIdOf } from "./rpc-error.ts";

/** A message that is too long to be kept; its id and its method are read while its bytes pass. */
export class SkippedMessage {
  readonly #members = new MemberScanner(["id", "method"]);
  #isAnswered = false;

  /** Returns the id to answer with as soon as it is known, once; null at the end of a message that has none. */
  read(bytes: Uint8Array, isEnd: boolean): AnswerId | undefined {
    if (this.#isAnswered) return undefined;
    this.#members.write(bytes);
    const members = Object.fromEntries(this.#members.found);
    // Only the end shows whether a missing member is absent.
    if (!isEnd && (members["id"] === undefined || members["method"] === undefined)) return undefined;
    this.#isAnswered = true;
    return answerIdOf(members);
  }
}
