import type { UnknownRecord } from "@foundry-mcp/contract";
import { toolFault } from "./tool-fault.ts";

/** Something that travels beside the envelope. */
export type Attachment =
  /** `data` is base64 text, or the bytes themselves. */
  | {
      readonly type: "image" | "audio";
      readonly data: string | Uint8Array;
      readonly mimeType: string;
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly mimeType?: string | undefined;
      readonly size?: number | undefined;
    };

/** The MCP content block of an attachment; a malformed one is refused here, where the handler can be blamed. */
export function toContentBlock(attachment: Attachment): UnknownRecord {
  switch (attachment?.type) {
    case "image":
    case "audio": {
      const { type, data, mimeType } = attachment;
      const base64 = data instanceof Uint8Array ? Buffer.from(data).toString("base64") : data;
      if (!isBase64(base64)) throw malformed(type, "data", "bytes or base64 text");
      if (typeof mimeType !== "string") throw malformed(type, "mimeType", "a string");
      return { type, data: base64, mimeType };
    }
    case "resource_link": {
      const { type, uri, name, title, description, mimeType, size } = attachment;
      const texts = { uri, name, title, description, mimeType };
      for (const [key, text] of Object.entries(texts)) {
        const isOptional = key !== "uri" && key !== "name";
        if (typeof text !== "string" && !(isOptional && text === undefined))
          throw malformed(type, key, "a string");
      }
      if (size !== undefined && !Number.isFinite(size)) throw malformed(type, "size", "a number");
      const told = Object.entries({ ...texts, size }).filter(([, value]) => value !== undefined);
      return { type, ...Object.fromEntries(told) };
    }
    default:
      throw malformed("an attachment", "type", "image, audio or resource_link");
  }
}

function isBase64(text: unknown): text is string {
  return typeof text === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
}

function malformed(type: string, key: string, wanted: string): Error {
  return toolFault(`Cannot attach ${type}: its ${key} must be ${wanted}`);
}
