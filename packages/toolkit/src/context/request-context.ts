import type { Client } from "./call.ts";
import type { Logger } from "./logger.ts";

/** What the reader of a resource or the writer of a prompt sees of the request. */
export interface RequestContext {
  readonly requestId: string;
  readonly client: Client;
  /** Who calls: the id of an authenticated principal, `local` where the server asks for no identity. */
  readonly principal: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Answers that came with a repeated request, by the names under which they were asked for. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
}
