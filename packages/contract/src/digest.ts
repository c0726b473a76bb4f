// Digests: documents compressed for research, with quotes that can be verified.

export {
  countDigestChars,
  type DigestPayload,
  type DigestText,
  digestContentType,
  digestVersion,
  type EvidenceSnippet,
  estimateDigestTokens,
  isDigest,
  queryHash,
  sourceTextHash,
} from "./digest/digest-payload.ts";
export { digestPayloadSchema, evidenceSnippetSchema } from "./digest/digest-schemas.ts";
export {
  formatLocator,
  isLocator,
  type Locator,
  parseLocator,
  verifySnippet,
} from "./digest/locator.ts";
export { deserializePayload, serializePayload, validatePayload } from "./digest/payload-json.ts";
