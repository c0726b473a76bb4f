import { readRequestBody } from "@modelcontextprotocol/server";

/** What a request brought. */
export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "empty" }
  | { readonly kind: "not_json" }
  | { readonly kind: "too_large" };

/** Reads a body as JSON, and no further than it may be long. */
export async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const body = await readRequestBody(request, maxBytes);
  if (body.tooLarge) return { kind: "too_large" };
  if (body.text.trim() === "") return { kind: "empty" };
  try {
    return { kind: "json", value: JSON.parse(body.text) };
  } catch {
    return { kind: "not_json" };
  }
}
