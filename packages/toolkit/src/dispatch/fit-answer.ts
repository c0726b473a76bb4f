import { ContractError, type Envelope, type UnknownRecord, warning } from "@foundry-mcp/contract";
import { estimateTokens, type FitResult, fitToBudget, type PagedList } from "@foundry-mcp/contract/budget";
import { archiveIdOf, contentHashOf } from "../archive/content-archive.ts";
import { toContentLink } from "../archive/content-link.ts";
import { createCallCounter } from "./call-counter.ts";
import type { Journey } from "./journey.ts";
import { principalOf } from "./standing.ts";
import { toDialect, type Wire } from "./to-dialect.ts";

/** An answer as it is sent, and the link to what it lacks. */
export interface Fitted extends Wire {
  readonly link?: UnknownRecord;
}

const countLong = createCallCounter("foundry.answers.over_budget", "Answers longer than their token budget");

/** Writes an answer so that it fits its budget: at once where it is short, as most are. */
export function fitAnswer(
  journey: Journey,
  envelope: Envelope,
  findPage: () => PagedList | undefined,
): Fitted | Promise<Fitted> {
  const whole = toDialect(envelope, journey);
  if (isShort(journey, whole)) return whole;
  countLong({ "gen_ai.tool.name": journey.tool?.name });
  return new Fitting(journey, whole, findPage()).run();
}

/** Writes the answer of a call that failed. It says what went wrong, however little of the rest can be told. */
export function fitFailure(journey: Journey, envelope: Envelope): Fitted {
  const whole = toDialect(envelope, journey);
  return isShort(journey, whole) ? whole : new Fitting(journey, whole, undefined).reduce();
}

function isShort(journey: Journey, { text }: Wire): boolean {
  const { maxTokens } = journey;
  return maxTokens === 0 || isWithin(journey, text, maxTokens);
}

/** A token has at least one byte, and a character at most three: most answers need no counting. */
function isWithin({ host }: Journey, text: string, maxTokens: number): boolean {
  if (text.length * 3 <= maxTokens || Buffer.byteLength(text) <= maxTokens) return true;
  const { countTokens = estimateTokens } = host.budget;
  return countTokens(text, maxTokens) <= maxTokens;
}

/** How far an answer may pass its budget where the rest can be kept nowhere. */
const grace = 2;

/** One answer that is too long for its budget. */
class Fitting {
  readonly #journey: Journey;
  readonly #whole: Wire;
  readonly #maxTokens: number;
  readonly #page: PagedList | undefined;

  constructor(journey: Journey, whole: Wire, page: PagedList | undefined) {
    this.#journey = journey;
    this.#whole = whole;
    this.#maxTokens = journey.maxTokens;
    this.#page = page;
  }

  async run(): Promise<Fitted> {
    // A shorter page loses nothing: its cursor leads to the rest.
    const shorter = this.#page === undefined ? undefined : this.#fit(undefined);
    if (shorter !== undefined && shorter.dropped === null) return shorter.wire;
    const { archive } = this.#journey.host.budget;
    const kept = archive === undefined ? undefined : await this.#keep();
    if (kept !== undefined) return kept;
    // A payload that JSON cannot hold has become a failure on the way.
    if (!this.#whole.envelope.success) return this.reduce();
    if (!isWithin(this.#journey, this.#whole.text, this.#maxTokens * grace)) throw this.#tooLarge();
    return this.#sendWhole(archive === undefined ? "no_archive" : "archive_failed");
  }

  /** The reduced answer, its rest kept nowhere. */
  reduce(): Wire {
    return this.#fit(undefined).wire;
  }

  /** The reduced answer once the whole is in the archive; undefined where it could not be put there. */
  async #keep(): Promise<Fitted | undefined> {
    const { host, requestId, caller, target, logger } = this.#journey;
    const principal = principalOf(caller);
    const bytes = Buffer.from(dataTextOf(this.#whole));
    const hash = contentHashOf(bytes);
    const id = archiveIdOf(principal, hash);
    const { wire, dropped } = this.#fit({ id, hash });
    const contentIds = dropped?.ids ?? [];
    const { tool, action } = target ?? {};
    const origin = {
      tool: tool?.name ?? "",
      action: tool?.isPlain ? undefined : action?.name,
      requestId,
    };
    try {
      await host.budget.archive?.put({ principal, bytes, hash, contentIds, ...origin });
    } catch (err) {
      logger.warn({ err, request_id: requestId }, "archive");
      return undefined;
    }
    return { ...wire, link: toContentLink(id, bytes.length, origin.tool) };
  }

  /** What is measured is what is sent: other dialects than response-v2 may need a second try. */
  #fit(archive: { readonly id: string; readonly hash: string } | undefined) {
    const { countTokens } = this.#journey.host.budget;
    let maxTokens = this.#maxTokens;
    for (let tries = 0; ; tries++) {
      const fitted: FitResult = fitToBudget(this.#whole.envelope, {
        maxTokens,
        countTokens,
        archive,
        page: this.#page,
      });
      const wire = toDialect(fitted.envelope, this.#journey);
      if (tries === mostTries || isWithin(this.#journey, wire.text, this.#maxTokens)) {
        return { wire, dropped: fitted.dropped };
      }
      maxTokens = Math.max(1, Math.floor(maxTokens * 0.7));
    }
  }

  #sendWhole(reason: "no_archive" | "archive_failed"): Wire {
    const { envelope } = this.#whole;
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
    return toDialect({ ...envelope, meta } as Envelope, this.#journey);
  }

  #tooLarge(): ContractError {
    const { target } = this.#journey;
    const label = target?.action.label ?? "the tool";
    return new ContractError(`The answer of ${label} is far longer than ${this.#maxTokens} tokens`, {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: "Ask for less, or repeat the call with a larger max_tokens; 0 gives the answer whole.",
      details: { max_tokens: this.#maxTokens, size_bytes: Buffer.byteLength(this.#whole.text) },
    });
  }
}

const mostTries = 8;

const dataStart = { true: '{"success":true,"data":'.length, false: '{"success":false,"data":'.length };

/** The JSON of an envelope's `data`, cut out of the text that has been written already. */
function dataTextOf({ envelope, json }: Wire): string {
  const { success, error, meta } = envelope;
  const tail = `,"error":${JSON.stringify(error)},"meta":${JSON.stringify(meta)}}`.length;
  return json.slice(dataStart[`${success}`], json.length - tail);
}
