import type { UnknownRecord } from "@foundry-mcp/contract";
import { toolFault } from "./tool-fault.ts";

/** Content that is sent together with the envelope. */
export type Attachment =
  /** `data` is base64 text or bytes. */
  | {
      readonly type: "image" | "audio";
      readonly data: string | Uint8Array;
      readonly mimeType: string;
    }
  /** A resource with its contents, as text or bytes. */
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string | undefined;
      readonly text?: string | undefined;
      readonly data?: string | Uint8Array | undefined;
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly mimeType?: string | undefined;
      readonly size?: number | undefined;
    }
  /** A content block of another server, as `readContentBlocks` of the entry point /client returned it. */
  | { readonly type: "block"; readonly block: UnknownRecord };

/**
 * Converts an attachment to an MCP content block. Throws for an invalid attachment while the handler that added it
 * still runs, so that the error can be traced to that handler.
 */
export function toContentBlock(attachment: Attachment): UnknownRecord {
  switch (attachment?.type) {
    case "image":
    case "audio": {
      const { type, data, mimeType } = attachment;
      requireTexts(type, { mimeType });
      return { type, data: toBase64(type, data), mimeType };
    }
    case "resource": {
      const { type, uri, mimeType, text, data } = attachment;
      requireTexts(type, { uri }, { mimeType, text });
      const contents = text === undefined ? { blob: toBase64(type, data) } : { text };
      return { type, resource: withoutUndefined({ uri, mimeType, ...contents }) };
    }
    case "resource_link": {
      const { type, uri, name, title, description, mimeType, size } = attachment;
      requireTexts(type, { uri, name }, { title, description, mimeType });
      if (size !== undefined && !Number.isFinite(size)) throw invalidAttachment(type, "size", "a number");
      return { type, ...withoutUndefined({ uri, name, title, description, mimeType, size }) };
    }
    case "block":
      return attachment.block;
    default:
      throw invalidAttachment("it", "type", "image, audio, resource or resource_link");
  }
}

function requireTexts(type: string, required: UnknownRecord, optional: UnknownRecord = {}): void {
  for (const [key, text] of Object.entries({ ...required, ...optional })) {
    const isAbsent = text === undefined && Object.hasOwn(optional, key);
    if (typeof text !== "string" && !isAbsent) throw invalidAttachment(type, key, "a string");
  }
}

function toBase64(type: string, data: unknown): string {
  const base64 = data instanceof Uint8Array ? Buffer.from(data).toString("base64") : data;
  if (!isBase64(base64)) throw invalidAttachment(type, "data", "bytes or base64 text");
  return base64;
}

function withoutUndefined(members: UnknownRecord): UnknownRecord {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function isBase64(text: unknown): text is string {
  return typeof text === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
}

function invalidAttachment(type: string, key: string, expected: string): Error {
  return toolFault(`Cannot attach ${type}: its ${key} must be ${expected}`);
}
