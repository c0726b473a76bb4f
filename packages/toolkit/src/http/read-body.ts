import { ContractError, validationError } from "@foundry-mcp/contract";
import { readRequestBody } from "@modelcontextprotocol/server";

/** The body of a request. */
export type Body =
  | { readonly kind: "json"; readonly value: unknown; readonly text: string }
  | { readonly kind: "empty" }
  | { readonly kind: "not_json" }
  | { readonly kind: "too_large" };

/** The failure of a request whose client disconnected before it had sent the whole body. */
export class UploadAborted extends ContractError {
  constructor(cause: unknown) {
    super("Cannot read the body: the client disconnected", { errorCode: "CANCELLED", cause });
  }
}

/** Reads a body as JSON, up to a number of bytes. */
export async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const text = await readText(request, maxBytes).catch((cause: unknown) => {
    // Only the connection can fail here.
    throw new UploadAborted(cause);
  });
  if (text === undefined) return { kind: "too_large" };
  if (text.trim() === "") return { kind: "empty" };
  try {
    return { kind: "json", value: JSON.parse(text), text };
  } catch {
    return { kind: "not_json" };
  }
}

/** Reads a body with a declared length at once, since HTTP enforces it, and counts otherwise; undefined when it is too long. */
async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null && /^\d+$/.test(declared)) {
    if (Number(declared) > maxBytes) return undefined;
    const text = await request.text();
    // Not every runtime enforces the declared length.
    return text.length > maxBytes ? undefined : text;
  }
  const body = await readRequestBody(request, maxBytes);
  return body.tooLarge ? undefined : body.text;
}

/** The failure of a request whose body or content type is not JSON. */
export function notJson(field: "body" | "Content-Type"): ContractError {
  const message = field === "body" ? "The body is not JSON" : "Content-Type must be application/json";
  return validationError(
    { field, constraint: "json", message },
    { message, remediation: "Send one JSON object, with Content-Type application/json." },
  );
}

/** The failure of a request whose body exceeds the limit. */
export function tooLarge(maxBytes: number): ContractError {
  return validationError(
    { field: "body", constraint: "maximum", expected: `at most ${maxBytes} bytes` },
    { errorCode: "CONTENT_TOO_LARGE", remediation: `Send at most ${maxBytes} bytes.` },
  );
}
