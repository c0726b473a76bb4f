import { ContractError, type Envelope, type UnknownRecord, warning } from "@foundry-mcp/contract";
import {
  type ArchiveReference,
  estimateTokens,
  type FitResult,
  fitToBudget,
  type PagedList,
} from "@foundry-mcp/contract/budget";
import { archiveIdOf, contentHashOf, toContentLink } from "../archive/content-archive.ts";
import type { CallState } from "./call-state.ts";
import type { DispatchDeps } from "./dispatch-deps.ts";
import { createCallCounter } from "./telemetry/instruments.ts";
import { type EncodedResponse, toDialect } from "./to-dialect.ts";

/** A response that fits its budget, and the link to what it lacks. */
export interface BudgetedResponse extends EncodedResponse {
  readonly link?: UnknownRecord;
}

const countOverBudget = createCallCounter(
  "foundry.answers.over_budget",
  "Answers longer than their token budget",
);

/** Encodes a response so that it fits its token budget; synchronous where it is short, as most are. */
export function applyBudget(
  state: CallState,
  envelope: Envelope,
  findPagedList: () => PagedList | undefined,
): BudgetedResponse | Promise<BudgetedResponse> {
  const whole = toDialect(envelope, state);
  if (isShort(state, whole)) return whole;
  countOverBudget({ "gen_ai.tool.name": state.tool?.name });
  return new BudgetFitter(state, whole, findPagedList()).run();
}

function isShort(state: CallState, { text }: EncodedResponse): boolean {
  const { maxTokens } = state;
  return maxTokens === 0 || isWithin(state, text, maxTokens);
}

/** A token has at least one byte and a UTF-16 unit at most three, so most responses need no counting. */
function isWithin({ deps }: CallState, text: string, maxTokens: number): boolean {
  if (text.length * 3 <= maxTokens || Buffer.byteLength(text) <= maxTokens) return true;
  const { countTokens = estimateTokens } = deps.budget;
  return countTokens(text, maxTokens) <= maxTokens;
}

/** How many times its budget a response may have where the rest cannot be stored. */
const overrunFactor = 2;

/** Reduces one response that is longer than its budget. */
class BudgetFitter {
  readonly #state: CallState;
  readonly #whole: EncodedResponse;
  readonly #maxTokens: number;
  readonly #page: PagedList | undefined;

  constructor(state: CallState, whole: EncodedResponse, page: PagedList | undefined) {
    this.#state = state;
    this.#whole = whole;
    this.#maxTokens = state.maxTokens;
    this.#page = page;
  }

  async run(): Promise<BudgetedResponse> {
    // response-v1 has no field for missing content, so nothing may be missing.
    if (this.#state.dialect === "response-v1") return this.#sendWhole("no_meta");
    // A shorter page loses nothing: its cursor leads to the rest.
    const shorter = this.#page === undefined ? undefined : this.#fit(undefined);
    if (shorter !== undefined && shorter.dropped === null) return shorter.response;
    const { archive } = this.#state.deps.budget;
    const archived = archive === undefined ? undefined : await this.#archive();
    if (archived !== undefined) return archived;
    // A failure is always sent, however much of its details must go.
    if (!this.#whole.envelope.success) return this.#fit(undefined).response;
    return this.#sendWhole(archive === undefined ? "no_archive" : "archive_failed");
  }

  /** Stores the whole in the archive and returns the reduced response; undefined where it cannot be stored. */
  async #archive(): Promise<BudgetedResponse | undefined> {
    const { deps, caller, requestId, principal, target, logger } = this.#state;
    const bytes = Buffer.from(dataTextOf(this.#whole));
    const hash = contentHashOf(bytes);
    const id = archiveIdOf(principal, hash);
    const { response, dropped } = this.#fit({
      id,
      hash,
      fetch: isFetchable(deps) ? undefined : `the archive id ${JSON.stringify(id)}`,
      describeRemedy: caller.describeRemedy,
    });
    if (dropped === null) return response;
    const contentIds = dropped.ids;
    const { tool, action } = target ?? {};
    const origin = {
      tool: tool?.name ?? "",
      action: tool?.isPlain ? undefined : action?.name,
      requestId,
    };
    try {
      await deps.budget.archive?.put({ principal, bytes, hash, contentIds, ...origin });
    } catch (err) {
      logger.warn({ err, request_id: requestId }, "archive");
      return undefined;
    }
    return isFetchable(deps) ? { ...response, link: toContentLink(id, bytes.length, origin.tool) } : response;
  }

  /** Fits the encoded response: the budget is that of the sent text, so other dialects than response-v2 may need several tries. */
  #fit(archive: ArchiveReference | undefined) {
    const { countTokens } = this.#state.deps.budget;
    let maxTokens = this.#maxTokens;
    for (let tries = 0; ; tries++) {
      const fitted: FitResult = fitToBudget(this.#whole.envelope, {
        maxTokens,
        reportedTokens: this.#maxTokens,
        countTokens,
        archive,
        page: this.#page,
      });
      const response = toDialect(this.#withDuration(fitted.envelope), this.#state);
      if (tries === maxTries || isWithin(this.#state, response.text, this.#maxTokens)) {
        return { response, dropped: fitted.dropped };
      }
      const sentTokens = (countTokens ?? estimateTokens)(response.text, Number.POSITIVE_INFINITY);
      maxTokens = Math.max(1, Math.floor((maxTokens * this.#maxTokens * margin) / sentTokens));
    }
  }

  /** Keeps the duration in envelope-v1, which has it in every response of a paid tier. */
  #withDuration(envelope: Envelope): Envelope {
    const { telemetry } = this.#whole.envelope.meta;
    if (this.#state.dialect !== "envelope-v1" || telemetry === undefined) return envelope;
    return { ...envelope, meta: { telemetry, ...envelope.meta } } as Envelope;
  }

  /** Sends a response whole although it is over its budget; refuses it beyond the overrun. */
  #sendWhole(reason: "no_archive" | "archive_failed" | "no_meta"): EncodedResponse {
    const { envelope } = this.#whole;
    const isClose = isWithin(this.#state, this.#whole.text, this.#maxTokens * overrunFactor);
    if (!isClose && envelope.success) throw this.#tooLarge();
    const detail = warning(
      "FALLBACK_USED",
      `The answer is longer than ${this.#maxTokens} tokens and sent whole: the rest can be kept nowhere`,
      { reason, max_tokens: this.#maxTokens },
    );
    const meta = {
      ...envelope.meta,
      warnings: [...(envelope.meta.warnings ?? []), detail.message],
      warning_details: [...(envelope.meta.warning_details ?? []), detail],
    };
    return toDialect({ ...envelope, meta } as Envelope, this.#state);
  }

  #tooLarge(): ContractError {
    const { target } = this.#state;
    const label = target?.action.label ?? "the tool";
    return new ContractError(`The answer of ${label} is far longer than ${this.#maxTokens} tokens`, {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: "Ask for less, or repeat the call with a larger max_tokens; 0 gives the answer whole.",
      details: { max_tokens: this.#maxTokens, size_bytes: Buffer.byteLength(this.#whole.text) },
    });
  }
}

/** Where the tool `content` is not offered, the server has a way of its own. */
function isFetchable({ catalogue }: DispatchDeps): boolean {
  return catalogue.findTool("content") !== undefined;
}

const maxTries = 8;
/** Aims a little below the budget, so that the search for a fitting length ends sooner. */
const margin = 0.97;

const dataOffset = { true: '{"success":true,"data":'.length, false: '{"success":false,"data":'.length };

/** The JSON of an envelope's `data`, taken from the text that is encoded already. */
function dataTextOf({ envelope, json }: EncodedResponse): string {
  const { success, error, meta } = envelope;
  const tail = `,"error":${JSON.stringify(error)},"meta":${JSON.stringify(meta)}}`.length;
  return json.slice(dataOffset[`${success}`], json.length - tail);
}
