import type { ErrorCatalogue, Tier, WarningDetail } from "@foundry-mcp/contract";
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

/** How long responses may be, and where the rest is stored. */
export interface Budget {
  /** Tokens of a response; 0 for no limit. @default 20,000 tokens */
  readonly maxTokens: number;
  /** @default an upper bound of o200k */
  readonly countTokens?: TokenCounter | undefined;
  /** Without one, responses over the budget are sent whole or refused. */
  readonly archive?: ContentArchive | undefined;
}

/** Everything that all calls of one server share. */
export interface DispatchDeps extends DialectOptions {
  /** The version of the server itself. */
  readonly version: string;
  readonly catalogue: Catalogue;
  readonly slots: CallSlots;
  readonly deadlineTimer: DeadlineTimer;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly validatesOutput: boolean;
  readonly budget: Budget;
  /** The roles, lowest first. */
  readonly roles: readonly Role[];
  /** The role of callers whose principal has none. */
  readonly role: Role;
  /** The tier of callers whose principal has none. */
  readonly tier: Tier;
  readonly flags: Flags | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  /** The server's own warnings, asked for when a response is made. */
  readonly warnings: (() => readonly WarningDetail[]) | undefined;
  /** Tools that are not served here, with how to have them served. */
  readonly unserved: Readonly<Record<string, string>> | undefined;
  /** The server's own error codes. */
  readonly errors: ErrorCatalogue | undefined;
}
