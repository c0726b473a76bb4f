import { request, requestHeaders } from "./call-tool.ts";
import type { Answer } from "./envelope.ts";

/** What the server says about itself and about the person who uses the page. */
export interface Session {
  readonly server: { readonly name: string; readonly version: string };
  readonly token_required: boolean;
  readonly principal?: string | null;
  readonly role?: string | null;
  readonly can_write: boolean;
  readonly workspace?: {
    readonly specs_dir?: string;
    readonly store?: string;
    readonly workspace?: string;
  } | null;
  readonly tools: readonly string[];
  readonly gateway: boolean;
  /** The tools of the gateway that is served beside the specs. */
  readonly gateway_tools: readonly string[];
  readonly events: boolean;
}

/** Asks the server who it is and what this page may do. */
export function readSession(): Promise<Answer<Session>> {
  return request<Session>("./page/session", { headers: { ...requestHeaders(), Accept: "application/json" } });
}
