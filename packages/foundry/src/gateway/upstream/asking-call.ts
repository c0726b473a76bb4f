import type { AskRequest } from "@foundry-mcp/toolkit";
import type { QuestionReceiver, RawReply, RawRequestOptions } from "@foundry-mcp/toolkit/client";

/** A question of an upstream that waits for its answer. */
export interface OpenQuestion {
  readonly request: AskRequest;
  answer(value: unknown): void;
  refuse(reason: unknown): void;
}

/** What happens next in a call: the upstream answers it, or asks something first. */
export type CallEvent =
  | { readonly kind: "reply"; readonly reply: RawReply }
  | { readonly kind: "question"; readonly question: OpenQuestion };

/** The part of a request of a client that a call reports to, and that ends the call. */
export interface CallFollower {
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<RawRequestOptions["onProgress"]>;
  readonly onLog: NonNullable<QuestionReceiver["log"]>;
}

/** The options with which a call is sent. */
export type SendOptions = Required<Pick<RawRequestOptions, "signal" | "onProgress">> & {
  readonly questions: QuestionReceiver;
};

/**
 * A call of an upstream that may ask questions. The call goes on while nobody follows it, because clients of protocol
 * version 2026-07-28 end their request to answer a question, and send another request with the answer.
 */
export class AskingCall {
  /** The client, the tool and the arguments of the call: only a request that repeats all of them may follow the call. */
  readonly owner: string;
  readonly #controller = new AbortController();
  readonly #events: CallEvent[] = [];
  #wake: () => void = () => {};
  #follower: CallFollower | undefined;

  constructor(owner: string, client: string, send: (options: SendOptions) => Promise<RawReply>) {
    this.owner = owner;
    void send({
      signal: this.#controller.signal,
      onProgress: (progress) => this.#follower?.onProgress(progress),
      questions: {
        owner: client,
        ask: (request) => this.#ask(request),
        log: (level, data) => this.#follower?.onLog(level, data),
      },
    }).then((reply) => this.#push({ kind: "reply", reply }));
  }

  /** Reports to a request until the returned function is called; the call ends with the signal of the request. */
  follow(follower: CallFollower): () => void {
    const { signal } = follower;
    const end = () => this.end(signal.reason);
    this.#follower = follower;
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    return () => {
      signal.removeEventListener("abort", end);
      if (this.#follower === follower) this.#follower = undefined;
    };
  }

  /** Waits for the answer or the next question; one request at a time may wait. */
  async next(): Promise<CallEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Cancels the call at the upstream. */
  end(reason: unknown): void {
    this.#controller.abort(reason);
  }

  #push(event: CallEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  #ask(request: AskRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(this.#controller.signal.reason);
      if (this.#controller.signal.aborted) return refuse();
      this.#controller.signal.addEventListener("abort", refuse, { once: true });
      this.#push({ kind: "question", question: { request, answer: resolve, refuse: reject } });
    });
  }
}
