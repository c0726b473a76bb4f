import { type ContractError, isRecord, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import { type AskRequest, cannotAsk, capabilityOf } from "../context/ask.ts";
import type { LogLevel } from "../context/call.ts";

/** Answers the questions that a server asks during one request, as the server sent them. */
export interface QuestionReceiver {
  /** The client for which the request is made; questions of one client are never put to another one. */
  readonly owner: string;
  ask(request: AskRequest): Promise<unknown>;
  /** Receives the log messages of the server. */
  log?(level: LogLevel, data: unknown): void;
}

/** The requests that are running on a connection and whose questions can be answered. */
export class RunningRequests {
  /** The number of questions that each running request has received. */
  readonly #receivers = new Map<QuestionReceiver, number>();

  /** Adds a request; returns the function that removes it. */
  add(receiver: QuestionReceiver | undefined): () => void {
    if (receiver === undefined) return () => {};
    // A receiver of two requests gets a separate entry for each request.
    const own: QuestionReceiver = {
      owner: receiver.owner,
      ask: (request) => receiver.ask(request),
      log: (level, data) => receiver.log?.(level, data),
    };
    this.#receivers.set(own, 0);
    return () => this.#receivers.delete(own);
  }

  /**
   * Passes a question to the request that has received the fewest. Servers of protocol versions before 2026-07-28 do not
   * say to which request a question belongs, so it is refused if requests of several clients are running.
   */
  async ask(request: AskRequest): Promise<unknown> {
    const [first] = [...this.#receivers].toSorted(([, one], [, other]) => one - other);
    if (first === undefined) throw cannotAsk(capabilityOf(request));
    if (!this.#hasOneOwner) throw ambiguous();
    const [receiver, count] = first;
    this.#receivers.set(receiver, count + 1);
    return receiver.ask(request);
  }

  /** Passes a log message to the newest request; drops the message if requests of several clients are running. */
  log(level: LogLevel, data: unknown): void {
    if (this.#hasOneOwner) [...this.#receivers.keys()].at(-1)?.log?.(level, data);
  }

  get #hasOneOwner(): boolean {
    return new Set([...this.#receivers.keys()].map(({ owner }) => owner)).size === 1;
  }
}

function ambiguous(): ContractError {
  return validationError(
    { field: "method", constraint: "unambiguous" },
    {
      message: "Cannot pass on the question: calls of several clients are running, and it names none of them",
    },
  );
}

/** The maximum number of rounds of questions in one request. */
const maxRounds = 32;
const methods: ReadonlySet<unknown> = new Set(["elicitation/create", "sampling/createMessage"]);

/**
 * Sends a request of protocol version 2026-07-28, and sends it again with the answers while its result consists of
 * questions.
 */
export async function sendWithAnswers(
  params: UnknownRecord,
  send: (params: UnknownRecord) => Promise<unknown>,
  receiver: QuestionReceiver | undefined,
): Promise<unknown> {
  let result = await send(params);
  for (let round = 0; receiver !== undefined && isInputRequiredResult(result); round += 1) {
    if (round === maxRounds) throw tooManyRounds();
    const { inputRequests, requestState } = result;
    const inputResponses = await answerAll(inputRequests, receiver);
    result = await send({
      ...params,
      ...(Object.keys(inputResponses).length === 0 ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    });
  }
  return result;
}

/** Puts all questions of a round to a receiver at the same time, and returns the answers by the names of the questions. */
export async function answerAll(requests: unknown, receiver: QuestionReceiver): Promise<UnknownRecord> {
  const named = isRecord(requests) ? Object.entries(requests) : [];
  const answers = await Promise.all(
    named.map(async ([name, request]): Promise<[string, unknown]> => {
      if (!isRecord(request) || !methods.has(request["method"])) throw noQuestion();
      const params = isRecord(request["params"]) ? request["params"] : {};
      return [name, await receiver.ask({ method: request["method"] as AskRequest["method"], params })];
    }),
  );
  return Object.fromEntries(answers);
}

function isInputRequiredResult(result: unknown): result is UnknownRecord {
  return isRecord(result) && result["resultType"] === "input_required";
}

function noQuestion(): ContractError {
  return validationError(
    { field: "inputRequests", constraint: "known" },
    { message: "The server asks something that this client cannot answer" },
  );
}

function tooManyRounds(): ContractError {
  return validationError(
    { field: "inputRequests", constraint: "max" },
    { message: `The server asked more than ${maxRounds} rounds of questions during one call` },
  );
}
