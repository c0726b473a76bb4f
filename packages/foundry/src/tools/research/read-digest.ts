import { validationError } from "@foundry-mcp/contract";
import { type DigestPayload, digestContentType, validatePayload } from "@foundry-mcp/contract/digest";

/** The digest in what a caller has: the payload itself, a digested source, or the answer of the call that made it. */
export function readDigest(given: unknown): DigestPayload {
  const value = typeof given === "string" ? parse(given) : given;
  return validatePayload(unwrap(value));
}

function unwrap(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { data, digest, content_type, content } = value;
  if (digest === null) throw tooShort();
  if (isObject(data) && "digest" in data) return unwrap(data);
  if (isObject(digest)) return digest;
  return content_type === digestContentType && typeof content === "string" ? parse(content) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the engine says quotes the text, which is the source's and not ours to repeat.
    throw validationError(
      { field: "digest", constraint: "format", expected: "JSON" },
      {
        message: "Cannot verify the digest: it is no JSON",
        remediation:
          'Pass data.digest of research(action="digest"), or on the command line the file with its answer.',
      },
    );
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tooShort(): Error {
  return validationError(
    { field: "digest", constraint: "required" },
    {
      message: "Cannot verify the digest: there is none, for the source was too short for one",
      remediation: "Nothing need be checked: the answer holds the whole text in data.source.content.",
    },
  );
}
