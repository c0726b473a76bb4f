import { randomBytes } from "node:crypto";
import { ContractError, cancelled } from "@foundry-mcp/contract";
import { type Context, cannotAsk, capabilityOf, isInputRequired } from "@foundry-mcp/toolkit";
import type { RawReply } from "@foundry-mcp/toolkit/client";
import { type Redactor, redactDeep } from "../../servers/redact.ts";
import type { AskingCall, CallFollower, OpenQuestion } from "../upstream/asking-call.ts";

/** The time for which a question waits for its answer. */
const maxAnswerMs = 600_000;
/** The maximum number of calls that wait for the answer of a client that has ended its request. */
const maxWaiting = 1_000;
/** The beginning of the names of questions, by which answers of other questions are told apart. */
const prefix = "upstream_";

interface WaitingCall {
  readonly call: AskingCall;
  readonly question: OpenQuestion;
  readonly timer: NodeJS.Timeout;
}

/**
 * Puts the questions of upstreams to the clients whose calls cause them. A client that answers with another request
 * finds its call by the name of the question, which nobody can guess.
 */
export class OpenQuestions {
  readonly #waiting = new Map<string, WaitingCall>();

  /**
   * Returns the call that a request goes on with, because it contains the answer to a question of the call; undefined if
   * the request contains no answer. `toOwner` returns the owner of the call, which few requests need.
   */
  resume(toOwner: () => string, { round }: Context): AskingCall | undefined {
    const answers = Object.entries(round.responses).filter(([name]) => name.startsWith(prefix));
    if (answers.length === 0) return undefined;
    const owner = toOwner();
    let found: AskingCall | undefined;
    let isLost = false;
    for (const [name, answer] of answers) {
      const waiting = this.#waiting.get(name);
      if (waiting?.call.owner !== owner) {
        isLost = true;
        continue;
      }
      this.#remove(name);
      waiting.question.answer(answer);
      found = waiting.call;
    }
    if (isLost && found === undefined) throw lostCall();
    return found;
  }

  /** Follows a call to its end, and puts its questions to the client of a request. */
  async follow(call: AskingCall, context: Context, redact: Redactor): Promise<RawReply> {
    const stop = call.follow({
      signal: context.signal,
      onProgress: toProgress(context, redact),
      onLog: (level, data) => context.log(level, redactDeep(data, redact)),
    });
    try {
      for (;;) {
        const event = await call.next();
        if (event.kind === "reply") return event.reply;
        await this.#put(event.question, call, context);
      }
    } finally {
      stop();
    }
  }

  /** Ends all calls that wait for an answer. */
  close(): void {
    for (const [name, { call }] of this.#waiting) {
      this.#remove(name);
      call.end(cancelled());
    }
  }

  async #put(question: OpenQuestion, call: AskingCall, context: Context): Promise<void> {
    const capability = capabilityOf(question.request);
    if (!context.canAsk(capability)) return question.refuse(cannotAsk(capability));
    if (this.#waiting.size >= maxWaiting) return question.refuse(tooMany());
    const name = `${prefix}${randomBytes(16).toString("hex")}`;
    const expire = () => {
      this.#remove(name);
      call.end(cancelled());
    };
    this.#waiting.set(name, { call, question, timer: setTimeout(expire, maxAnswerMs).unref() });
    try {
      question.answer(await context.relay(question.request, name));
    } catch (thrown) {
      // The client answers with another request, which resumes the call.
      if (isInputRequired(thrown)) throw thrown;
      question.refuse(thrown);
    }
    this.#remove(name);
  }

  #remove(name: string): void {
    clearTimeout(this.#waiting.get(name)?.timer);
    this.#waiting.delete(name);
  }
}

/** Returns a function that passes the progress of an upstream on, without secrets. */
export function toProgress(context: Context, redact: Redactor): CallFollower["onProgress"] {
  return ({ progress, total, message }) =>
    context.progress(progress, total, message === undefined ? undefined : redact(message));
}

function lostCall(): ContractError {
  return new ContractError("Cannot continue the call: it no longer waits for this answer", {
    errorCode: "INVALID_STATE",
    remediation:
      "Check whether the work was done; otherwise call again without answers, with the same arguments.",
    details: { field: "inputResponses", may_have_run: true },
  });
}

function tooMany(): ContractError {
  return new ContractError(`Cannot ask: ${maxWaiting} calls wait for answers already`, {
    errorCode: "RESOURCE_EXHAUSTED",
  });
}
