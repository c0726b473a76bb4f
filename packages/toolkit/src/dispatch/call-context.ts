import {
  type DescribeRemedy,
  type Dialect,
  describeRemedy,
  type Tier,
  type UnknownRecord,
  type WarningDetail,
  warning,
} from "@foundry-mcp/contract";
import type { PagedList } from "@foundry-mcp/contract/budget";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import {
  type AskRequest,
  cannotAsk,
  capabilityOf,
  type InputRequired,
  isInputRequired,
  readElicitAnswer,
  readSampleAnswer,
  toElicitRequest,
} from "../context/ask.ts";
import { toContentBlock } from "../context/attachment.ts";
import type { Agreement, Client, Round, Surface } from "../context/call.ts";
import type { Context } from "../context/context.ts";
import { type AnsweredQuestion, JobStarted } from "../context/job-call.ts";
import type { Logger } from "../context/logger.ts";
import { createPager, createRefusingPager, type Pager, type RecordingPager } from "../context/pager.ts";
import type { Role } from "../context/principal.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { CallState } from "./call-state.ts";
import { requireRole } from "./check-role.ts";
import { checkFeature } from "./check-tier.ts";
import type { Deadline } from "./deadline.ts";
import type { Target } from "./find-action.ts";
import { startJob } from "./start-job.ts";
import type { ValidInput } from "./validate-input.ts";

const none: readonly never[] = [];
const noRound: Round = { responses: {}, state: undefined };

/**
 * The context of one call, which the handler receives. The context records everything that the handler
 * reports.
 *
 * The members of the context are getters, because handlers destructure the context (`{ warn, page }`) and
 * need bound functions. Most calls use no member, so each member is created when it is read.
 */
export class CallContext implements Context {
  #blocks: UnknownRecord[] | undefined = undefined;
  /**
   * The exception with which the call ends, even if the handler catches the exception: an open question, whose answer
   * the client must send with the repeated call, or the start of a job.
   */
  ending: InputRequired | JobStarted | undefined = undefined;
  readonly requestId: string;
  readonly #state: CallState;
  readonly #target: Target;
  readonly #input: ValidInput;
  readonly #deadline: Deadline;
  #answered: AnsweredQuestion[] | undefined = undefined;
  #logger: Logger | undefined = undefined;
  #pager: RecordingPager | undefined = undefined;

  constructor(state: CallState, target: Target, input: ValidInput, deadline: Deadline) {
    this.requestId = state.requestId;
    this.#state = state;
    this.#target = target;
    this.#input = input;
    this.#deadline = deadline;
  }

  /** The content blocks that are sent with the envelope. */
  get blocks(): readonly UnknownRecord[] {
    return this.#blocks ?? none;
  }

  get tool(): string {
    return this.#target.tool.name;
  }

  get action(): string {
    return this.#target.action.name;
  }

  get isJob(): boolean {
    return this.#state.caller.runsJob === true;
  }

  get surface(): Surface {
    return this.#state.caller.surface;
  }

  get client(): Client {
    return this.#state.caller.client;
  }

  get principal(): string {
    return this.#state.principal;
  }

  get clientKey(): string {
    return this.#state.clientKey;
  }

  get dialect(): Dialect {
    return this.#state.dialect;
  }

  get agreement(): Agreement | undefined {
    return this.#state.caller.agreement;
  }

  get role(): Role {
    return this.#state.role;
  }

  get requireRole(): Context["requireRole"] {
    return (needed, part) => requireRole(this.#state, this.#target, needed, part);
  }

  get tier(): Tier {
    return this.#state.tier;
  }

  get describeRemedy(): DescribeRemedy {
    return this.#state.caller.describeRemedy ?? describeRemedy;
  }

  get maxTokens(): number {
    return this.#state.maxTokens;
  }

  get requestedTokens(): number | undefined {
    return this.#state.requestedTokens;
  }

  get feature(): Context["feature"] {
    return (name) => checkFeature(this.#state, this.#target.action, name);
  }

  get notes(): object | undefined {
    return this.#state.call.notes;
  }

  get round(): Round {
    return this.#state.caller.round ?? noRound;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  get logger(): Logger {
    this.#logger ??= this.#state.logger.child({ request_id: this.requestId, tool: this.tool });
    return this.#logger;
  }

  get page(): Pager {
    this.#pager ??= createPagerOf(this.#target, this.#input);
    return this.#pager;
  }

  /** The pagination of the response; undefined if the handler did not use the pager. */
  get pagination(): RecordingPager["pagination"] {
    return this.#pager?.pagination;
  }

  /**
   * Returns the list in the payload that may be shortened to fit the budget; undefined if the handler did not use
   * the pager.
   */
  pagedListIn(payload: UnknownRecord): PagedList | undefined {
    return this.#pager?.pagedList(rowsKeyOf(this.#target.action, payload, this.#pager));
  }

  get progress(): Context["progress"] {
    return (progress, total, message) => this.#state.caller.sendProgress?.({ progress, total, message });
  }

  get warn(): Context["warn"] {
    return (first: string, message?: string, facts?: UnknownRecord) => {
      this.#state.warn(toWarning(first, message, facts));
    };
  }

  get attach(): Context["attach"] {
    return (attachment) => {
      this.#blocks ??= [];
      this.#blocks.push(toContentBlock(attachment));
    };
  }

  get log(): Context["log"] {
    return (level, data) => this.#state.caller.sendLog?.(level, data);
  }

  get ifEnded(): Context["ifEnded"] {
    return (notice) => this.#deadline.explainEnd(notice);
  }

  get closeStream(): Context["closeStream"] {
    return () => this.#state.caller.closeStream?.();
  }

  get detach(): Context["detach"] {
    return async () => {
      if (this.#target.action.definition.detaches !== true) {
        throw toolFault(`Cannot detach: ${this.#target.action.label} does not declare detaches`);
      }
      try {
        await this.#deadline.race(startJob(this.#state, this.#target, this.#answered));
      } catch (thrown) {
        if (thrown instanceof JobStarted) this.ending = thrown;
        throw thrown;
      }
    };
  }

  get elicit(): Context["elicit"] {
    return async (question: Parameters<typeof toElicitRequest>[0]) =>
      (await readElicitAnswer(question, await this.#ask("elicitation", toElicitRequest(question)))) as never;
  }

  get sample(): Context["sample"] {
    return async (params) =>
      readSampleAnswer(await this.#ask("sampling", { method: "sampling/createMessage", params }));
  }

  get repeatsCalls(): boolean {
    return this.#state.caller.repeatsCalls === true;
  }

  get canAsk(): Context["canAsk"] {
    const { asker, answers } = this.#state.caller;
    return (capability) => asker !== undefined && (answers?.includes(capability) ?? true);
  }

  get relay(): Context["relay"] {
    return (request, name) => this.#ask(capabilityOf(request), request, name);
  }

  /** Asks the client; the deadline is paused until the answer arrives. */
  async #ask(capability: "elicitation" | "sampling", request: AskRequest, name?: string): Promise<unknown> {
    const { caller } = this.#state;
    const deadline = this.#deadline;
    if (caller.asker === undefined) throw cannotAsk(capability);
    deadline.check(performance.now());
    deadline.pause();
    try {
      const answer = await deadline.race(caller.asker(request, name));
      this.#answered ??= [];
      this.#answered.push({ request, answer });
      return answer;
    } catch (thrown) {
      // Record the question, because a handler that catches the exception must not replace the question with a
      // result.
      if (isInputRequired(thrown)) this.ending = thrown;
      throw thrown;
    } finally {
      deadline.resume();
    }
  }
}

function createPagerOf({ tool, action }: Target, input: ValidInput): RecordingPager {
  if (action.definition.page === undefined) return createRefusingPager(action.label);
  const query = { tool: tool.name, filters: input.query, ...(tool.isPlain ? {} : { action: action.name }) };
  return createPager(query, input.limit, input.cursor);
}

/**
 * Returns the key of the rows: the declared key or the key that was passed to `tell`, otherwise the only key whose
 * list is as long as the page.
 */
function rowsKeyOf(
  { rowsKey }: PreparedAction,
  payload: UnknownRecord,
  { pagination, rowsKey: toldKey }: RecordingPager,
): string | undefined {
  if (rowsKey !== undefined) return rowsKey;
  if (toldKey !== undefined) return toldKey;
  const keys = Object.keys(payload).filter((key) => {
    const rows = payload[key];
    return Array.isArray(rows) && rows.length === pagination?.page_size;
  });
  return keys.length === 1 ? keys[0] : undefined;
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
