import type { UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { type Answer, offline, toAnswer } from "./envelope.ts";
import { readToken } from "./token.ts";

/** The headers of every request: the token, and the name by which the server knows the page. */
export function requestHeaders(): Record<string, string> {
  const token = readToken();
  return {
    "Foundry-Client": "foundry-page",
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
}

/** Calls a tool of the server. A failed call also returns a value, and does not throw. */
export async function callTool<T = UnknownRecord>(
  tool: string,
  args: UnknownRecord = {},
  signal?: AbortSignal,
  /** `gateway` for a tool of the gateway that is served beside the specs. */
  at: "specs" | "gateway" = "specs",
): Promise<Answer<T>> {
  return request(`./${at === "gateway" ? "gateway/" : ""}api/tools/${encodeURIComponent(tool)}`, {
    method: "POST",
    headers: { ...requestHeaders(), "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(args),
    signal: signal ?? null,
  });
}

/** Sends a request, and reads the envelope of the answer. */
export async function request<T = UnknownRecord>(path: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { ...init, credentials: "omit", cache: "no-store", redirect: "error" });
    text = await response.text();
  } catch (cause) {
    return { ok: false, error: offline(cause) };
  }
  let raw: unknown = text;
  try {
    raw = parseJsonText(text);
  } catch {
    // The page shows this answer unchanged.
  }
  const answer = toAnswer<T>(raw, response.status);
  if (!answer.ok && answer.error.code === "UNAUTHORIZED")
    onUnauthorized.forEach((each) => void each(answer.error.details));
  return answer;
}

/** Functions that are called when the server does not accept the token any more. */
export const onUnauthorized = new Set<(details: UnknownRecord) => void>();
