import type { ContractError } from "@foundry-mcp/contract";
import type { Principal } from "../context/principal.ts";

/** The facts of a request to an additional route, and functions that answer the request with an envelope. */
export interface HttpExchange {
  /** The authenticated principal; undefined if the server requires no tokens, or if the route is open. */
  readonly principal: Principal | undefined;
  /** True if the server requires tokens. */
  readonly needsToken: boolean;
  /** Checks the token of the request again, for answers that take long; returns the reason to end the answer. */
  recheck(): ContractError | undefined;
  /** Answers with an envelope that contains the data. */
  succeed(data: object): Response;
  /** Answers with the envelope of an error. */
  fail(thrown: unknown): Response;
}

/** A route that a program adds to a server. Additional routes answer GET only, so they change nothing. */
export interface HttpRoute {
  /** The name of the route in the list of routes at `/`. @default the route is not listed */
  readonly name?: string | undefined;
  /** The path; a `*` at its end stands for the rest of any path. */
  readonly path: string;
  /** True for a route whose answers are not confidential: it needs no token. @default false */
  readonly isOpen?: boolean | undefined;
  /**
   * True for an open route that a link on another site may open in a tab, such as a web page without any data. The
   * answer must forbid frames. @default false
   */
  readonly isPage?: boolean | undefined;
  /** Answers a request; undefined leaves the request to the routes of the server. */
  handle(request: Request, exchange: HttpExchange): Response | undefined | Promise<Response | undefined>;
}

/** The routes that a program adds to a server, and the function that ends their running answers. */
export interface HttpRoutes {
  readonly routes: readonly HttpRoute[];
  /** Called when the server stops. */
  close?(): void | Promise<void>;
}
