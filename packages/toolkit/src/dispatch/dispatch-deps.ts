import type { ErrorCatalogue, Tier, UnknownRecord, WarningDetail } from "@foundry-mcp/contract";
import type { TokenCounter } from "@foundry-mcp/contract/budget";
import type { ContentArchive } from "../archive/content-archive.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Logger } from "../context/logger.ts";
import type { Role } from "../context/principal.ts";
import type { Flags } from "../flags/flags.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { DialectOptions } from "./choose-dialect.ts";
import type { CallSlots } from "./concurrency.ts";
import type { DeadlineTimer } from "./deadline-timer.ts";

/** The token limit of responses, and the archive for content that is left out. */
export interface Budget {
  /** The maximum number of tokens of a response; 0 for no limit. @default 20,000 tokens */
  readonly maxTokens: number;
  /** Counts the tokens of a text. @default an upper bound of the o200k token count */
  readonly countTokens?: TokenCounter | undefined;
  /**
   * The archive for complete responses; without an archive, a response over the budget is sent in full or
   * refused.
   */
  readonly archive?: ContentArchive | undefined;
}

/** The data and functions that all calls of one server share. */
export interface DispatchDeps extends DialectOptions {
  /** The version of the server itself. */
  readonly version: string;
  readonly catalogue: Catalogue;
  readonly slots: CallSlots;
  /** The slots of jobs, which cannot take the slots of calls that somebody waits for. */
  readonly jobSlots: CallSlots;
  readonly deadlineTimer: DeadlineTimer;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly validatesOutput: boolean;
  readonly budget: Budget;
  /** The roles, lowest first. */
  readonly roles: readonly Role[];
  /** The role of callers whose principal has no role. */
  readonly role: Role;
  /** The tier of callers whose principal has no tier. */
  readonly tier: Tier;
  readonly flags: Flags | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  /** Returns the server's own warnings; called for every response. */
  readonly warnings: (() => readonly WarningDetail[]) | undefined;
  /** Tools that exist but are not served here; each value says how to enable the tool. */
  readonly unserved: Readonly<Record<string, string>> | undefined;
  /** Adds keys to the payload of an action for clients that were written for another server. */
  readonly addKeys: ((tool: string, action: string, data: UnknownRecord) => UnknownRecord) | undefined;
  /** The server's own error codes. */
  readonly errors: ErrorCatalogue | undefined;
}
