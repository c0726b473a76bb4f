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

/** Parses a body as JSON; refuses a body of more than `maxBytes` bytes. */
export async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const bytes = await readBytes(request, maxBytes).catch((cause: unknown) => {
    // Reading the body can only fail because the connection broke.
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

/**
 * Reads the bytes of a body; undefined if the body is too long. A body with a declared length is read in one
 * step, because HTTP enforces that length. The bytes of any other body are counted while they arrive.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null && /^\d+$/.test(declared)) {
    if (Number(declared) > maxBytes) return undefined;
    const bytes = new Uint8Array(await request.arrayBuffer());
    // The length is checked again, because not every runtime enforces the declared length.
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // If the code leaves this loop early, the stream is cancelled.
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes UTF-8; returns undefined for invalid bytes, because replacing them would change the text that the caller
 * sent.
 */
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
