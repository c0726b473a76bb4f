// Digests: documents compressed for research, with quotes that can be verified.

export {
  type DigestPayload,
  digestContentType,
  digestVersion,
  type EvidenceSnippet,
  isDigest,
} from "./digest/digest-payload.ts";
export { countDigestChars, type DigestText, estimateDigestTokens } from "./digest/estimate-digest-tokens.ts";
export { queryHash, sourceTextHash } from "./digest/hashes.ts";
export { formatLocator, isLocator, type Locator, locatorPattern, parseLocator } from "./digest/locator.ts";
export { deserializePayload, serializePayload, validatePayload } from "./digest/payload-json.ts";
export { verifySnippet } from "./digest/verify-snippet.ts";
export { digestPayloadSchema, evidenceSnippetSchema } from "./schema/digest-schemas.ts";
