import { ContractError, validationError } from "@foundry-mcp/contract";

/** The body of a request. */
export type Body =
  | { readonly kind: "json"; readonly value: unknown; readonly text: string }
  | { readonly kind: "empty" }
  | { readonly kind: "not_json" }
  | { readonly kind: "not_utf8" }
  | { readonly kind: "too_large" };

/** The failure of a request whose client disconnected before it had sent the whole body. */
export class UploadAborted extends ContractError {
  constructor(cause: unknown) {
    super("Cannot read the body: the client disconnected", { errorCode: "CANCELLED", cause });
  }
}

/** Reads a body as JSON, up to a number of bytes. */
export async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const bytes = await readBytes(request, maxBytes).catch((cause: unknown) => {
    // Only the connection can fail here.
    throw new UploadAborted(cause);
  });
  if (bytes === undefined) return { kind: "too_large" };
  const text = decode(bytes);
  if (text === undefined) return { kind: "not_utf8" };
  if (text.trim() === "") return { kind: "empty" };
  try {
    return { kind: "json", value: JSON.parse(text), text };
  } catch {
    return { kind: "not_json" };
  }
}

/** Reads a body with a declared length at once, since HTTP enforces it, and counts otherwise; undefined when it is too long. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null && /^\d+$/.test(declared)) {
    if (Number(declared) > maxBytes) return undefined;
    const bytes = new Uint8Array(await request.arrayBuffer());
    // Not every runtime enforces the declared length.
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Replacing invalid bytes would store other text than the caller sent, so there is no text then. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The failure of a request whose body is not UTF-8. */
export function notUtf8(): ContractError {
  return validationError(
    { field: "body", constraint: "format", expected: "UTF-8" },
    {
      message: "Cannot read the body: it is not UTF-8",
      remediation: "Encode the JSON of the body as UTF-8.",
    },
  );
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
