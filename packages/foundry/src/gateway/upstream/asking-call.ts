import type { AskRequest } from "@foundry-mcp/toolkit";
import type { QuestionReceiver, RawReply, RawRequestOptions } from "@foundry-mcp/toolkit/client";

/** A question of an upstream, such as an elicitation, that is not answered yet. */
export interface OpenQuestion {
  readonly request: AskRequest;
  answer(value: unknown): void;
  refuse(reason: unknown): void;
}

/** The next event of a call: the reply of the upstream, or a question that the upstream asks before it replies. */
export type CallEvent =
  | { readonly kind: "reply"; readonly reply: RawReply }
  | { readonly kind: "question"; readonly question: OpenQuestion };

/**
 * The client's request that currently follows a call. The request receives the progress and log messages of the call,
 * and aborting the request cancels the call.
 */
export interface CallFollower {
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<RawRequestOptions["onProgress"]>;
  readonly onLog: NonNullable<QuestionReceiver["log"]>;
}

/** The options with which a call is sent to the upstream. */
export type SendOptions = Required<Pick<RawRequestOptions, "signal" | "onProgress">> & {
  readonly questions: QuestionReceiver;
};

/**
 * A call of an upstream during which the upstream may ask the client questions. The call continues while no request
 * follows it, because clients of protocol version 2026-07-28 end their request to answer a question, and send another
 * request with the answer.
 */
export class AskingCall {
  /**
   * The client, tool and arguments of the call as one text. Only a request with the same three values may follow the
   * call.
   */
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

  /**
   * Connects a request with the call: progress and log messages go to the request, and aborting the request cancels the
   * call. The returned function disconnects the request.
   */
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

  /** Waits for the reply or the next question. Only one request may wait at a time. */
  async next(): Promise<CallEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Cancels the call at the upstream for this reason. */
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
