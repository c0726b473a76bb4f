import { MemberScanner } from "../wire/member-scanner.ts";
import { type AnswerId, answerIdOf } from "./rpc-error.ts";

/** A message that is too long to be stored; only its id and its method are read while its bytes arrive. */
export class SkippedMessage {
  readonly #members = new MemberScanner(["id", "method"]);
  #isAnswered = false;

  /**
   * Returns the id for the answer once, as soon as the id is known; returns null at the end of a message without an
   * id.
   */
  read(bytes: Uint8Array, isEnd: boolean): AnswerId | undefined {
    if (this.#isAnswered) return undefined;
    this.#members.write(bytes);
    const members = Object.fromEntries(this.#members.found);
    // Until the end of the message, a member that has not been found yet may still follow.
    if (!isEnd && (members["id"] === undefined || members["method"] === undefined)) return undefined;
    this.#isAnswered = true;
    return answerIdOf(members);
  }
}
