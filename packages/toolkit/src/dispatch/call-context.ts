import type { UnknownRecord, WarningDetail } from "@foundry-mcp/contract";
import { warning } from "@foundry-mcp/contract";
import {
  type AskRequest,
  cannotAsk,
  type InputRequired,
  isInputRequired,
  readElicitAnswer,
  readSampleAnswer,
  toElicitRequest,
} from "../context/ask.ts";
import { toContentBlock } from "../context/attachment.ts";
import type { Caller, Client, Round, Surface } from "../context/call.ts";
import type { Context } from "../context/context.ts";
import type { Logger } from "../context/logger.ts";
import { createPager, noPager, type Pager, type RecordingPager } from "../context/pager.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { Target } from "./find-action.ts";
import type { Flight } from "./flight.ts";
import type { ValidInput } from "./validate-input.ts";

const none: readonly never[] = [];
const noRound: Round = { responses: {}, state: undefined };

/** What a context is made of. */
export interface ContextParts {
  readonly caller: Caller;
  readonly requestId: string;
  readonly logger: Logger;
}

/**
 * The context of one call, and what the handler told through it.
 *
 * Its members are getters that bind on demand: handlers take them apart (`{ warn, page }`), and most
 * calls touch none of them, so none is made before it is asked for.
 */
export class CallContext implements Context {
  #warnings: WarningDetail[] | undefined = undefined;
  #blocks: UnknownRecord[] | undefined = undefined;
  /** A question that must be answered before the call can be. */
  question: InputRequired | undefined = undefined;
  readonly requestId: string;
  readonly #parts: ContextParts;
  readonly #target: Target;
  readonly #input: ValidInput;
  readonly #flight: Flight;
  #logger: Logger | undefined = undefined;
  #pager: RecordingPager | undefined = undefined;

  constructor(parts: ContextParts, target: Target, input: ValidInput, flight: Flight) {
    this.requestId = parts.requestId;
    this.#parts = parts;
    this.#target = target;
    this.#input = input;
    this.#flight = flight;
  }

  /** What the handler warned of. */
  get warnings(): readonly WarningDetail[] {
    return this.#warnings ?? none;
  }

  /** What travels beside the envelope. */
  get blocks(): readonly UnknownRecord[] {
    return this.#blocks ?? none;
  }

  get tool(): string {
    return this.#target.tool.name;
  }

  get action(): string {
    return this.#target.action.name;
  }

  get surface(): Surface {
    return this.#parts.caller.surface;
  }

  get client(): Client {
    return this.#parts.caller.client;
  }

  get round(): Round {
    return this.#parts.caller.round ?? noRound;
  }

  get signal(): AbortSignal {
    return this.#flight.signal;
  }

  get logger(): Logger {
    this.#logger ??= this.#parts.logger.child({ request_id: this.requestId, tool: this.tool });
    return this.#logger;
  }

  get page(): Pager {
    this.#pager ??= createPagerOf(this.#target, this.#input);
    return this.#pager;
  }

  /** What the answer says of the page; undefined where the handler cut none. */
  get pagination(): RecordingPager["pagination"] {
    return this.#pager?.pagination;
  }

  get progress(): Context["progress"] {
    return (progress, total, message) => this.#parts.caller.sendProgress?.({ progress, total, message });
  }

  get warn(): Context["warn"] {
    return (first: string, message?: string, facts?: UnknownRecord) => {
      this.#warnings ??= [];
      this.#warnings.push(toWarning(first, message, facts));
    };
  }

  get attach(): Context["attach"] {
    return (attachment) => {
      this.#blocks ??= [];
      this.#blocks.push(toContentBlock(attachment));
    };
  }

  get log(): Context["log"] {
    return (level, data) => this.#parts.caller.sendLog?.(level, data);
  }

  get closeStream(): Context["closeStream"] {
    return () => this.#parts.caller.closeStream?.();
  }

  get elicit(): Context["elicit"] {
    return async (question: Parameters<typeof toElicitRequest>[0]) =>
      (await readElicitAnswer(question, await this.#ask("elicitation", toElicitRequest(question)))) as never;
  }

  get sample(): Context["sample"] {
    return async (params) =>
      readSampleAnswer(await this.#ask("sampling", { method: "sampling/createMessage", params }));
  }

  /** Asks the client; the clock stands still meanwhile. */
  async #ask(capability: "elicitation" | "sampling", request: AskRequest): Promise<unknown> {
    const { caller } = this.#parts;
    const flight = this.#flight;
    if (caller.asker === undefined) throw cannotAsk(capability);
    flight.check(performance.now());
    flight.pause();
    try {
      return await flight.race(caller.asker(request));
    } catch (thrown) {
      // A handler that swallows this must not turn the question into an answer.
      if (isInputRequired(thrown)) this.question = thrown;
      throw thrown;
    } finally {
      flight.resume();
    }
  }
}

function createPagerOf({ tool, action }: Target, input: ValidInput): RecordingPager {
  if (action.definition.page === undefined) return noPager(action.label);
  const query = { tool: tool.name, filters: input.query, ...(tool.isPlain ? {} : { action: action.name }) };
  return createPager(query, input.limit, input.cursor);
}

function toWarning(
  first: string,
  message: string | undefined,
  facts: UnknownRecord | undefined,
): WarningDetail {
  if (typeof first !== "string" || (message !== undefined && typeof message !== "string")) {
    throw toolFault("Cannot warn: code and message must be texts");
  }
  return message === undefined ? { message: first } : warning(first, message, facts);
}
