import { isDeepStrictEqual } from "node:util";
import { type FieldError, isRecord, validationError } from "@foundry-mcp/contract";
import { type DigestPayload, digestContentType, validatePayload } from "@foundry-mcp/contract/digest";
import { JsonDepthError, parseJsonText, tooDeep } from "@foundry-mcp/contract/input";

/** A digest passed by a caller, and the problems of its envelope. */
export interface ParsedDigest {
  readonly digest: DigestPayload;
  readonly problems: readonly string[];
}

/** Extracts the digest from a payload, a digested source, or the response of the call that created it. */
export function parseDigest(given: unknown): ParsedDigest {
  const value = typeof given === "string" ? parse(given) : given;
  const digest = validatePayload(unwrap(value));
  const copy = findCopy(value);
  const isSame = copy === undefined || isDeepStrictEqual(validatePayload(parse(copy)), digest);
  return { digest, problems: isSame ? [] : ["data.source.content holds another digest than data.digest"] };
}

/** Returns the JSON text of the digest in the member `content` of a response, which is a second copy of the digest. */
function findCopy(value: unknown): string | undefined {
  const data = isRecord(value) && isRecord(value["data"]) ? value["data"] : value;
  if (!isRecord(data) || !isRecord(data["digest"]) || !isRecord(data["source"])) return undefined;
  const { content_type, content } = data["source"];
  return content_type === digestContentType && typeof content === "string" ? content : undefined;
}

function unwrap(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { data, digest, content_type, content } = value;
  if (digest === null || (content_type === "text/plain" && "content" in value))
    throw cannotVerify(
      { constraint: "required" },
      "there is none, for the source was too short for one",
      "Nothing need be checked: the answer holds the whole text of the source.",
    );
  if ("digests" in value || (isRecord(data) && "digests" in data))
    throw cannotVerify(
      { constraint: "single" },
      "these are several",
      "Pass one after the other: the member digest of each entry of the list digests.",
    );
  if (isRecord(data) && "digest" in data) return unwrap(data);
  if (isRecord(digest)) return digest;
  return content_type === digestContentType && typeof content === "string" ? parse(content) : value;
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    if (cause instanceof JsonDepthError) throw tooDeep("digest");
    // The message of JSON.parse is not repeated, because it quotes the text.
    throw cannotVerify(
      { constraint: "format", expected: "JSON" },
      "it is no JSON",
      "Pass the member digest of the answer, or on the command line the file with that answer.",
    );
  }
}

function cannotVerify(error: Omit<FieldError, "field">, why: string, remediation: string): Error {
  const message = `Cannot verify the digest: ${why}`;
  return validationError({ field: "digest", ...error }, { message, remediation });
}
