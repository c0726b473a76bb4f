import type { ErrorCatalogue } from "@foundry-mcp/contract";
import type { TokenCounter } from "@foundry-mcp/contract/budget";
import type { ContentArchive } from "../archive/content-archive.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Logger } from "../context/logger.ts";
import type { Flags } from "../flags/flags.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Languages } from "./choose-dialect.ts";
import type { Concurrency } from "./concurrency.ts";
import type { Deadlines } from "./deadline-timer.ts";
import type { Grants } from "./standing.ts";

/** How long answers may be, and where the rest is kept. */
export interface Budget {
  /** Tokens of an answer; 0 for no limit. @default 20,000 tokens */
  readonly maxTokens: number;
  /** @default an upper bound of o200k */
  readonly countTokens?: TokenCounter | undefined;
  /** Without one, answers over the budget are sent whole or refused. */
  readonly archive?: ContentArchive | undefined;
}

/** What every call of one server shares. */
export interface Host extends Languages, Grants {
  readonly catalogue: Catalogue;
  readonly concurrency: Concurrency;
  readonly deadlines: Deadlines;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly validatesOutput: boolean;
  readonly budget: Budget;
  readonly flags: Flags | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  /** The server's own error codes. */
  readonly errors: ErrorCatalogue | undefined;
}
