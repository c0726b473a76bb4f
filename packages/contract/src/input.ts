// Functions for untrusted input: depth limits for JSON, names that errors may quote, and the nearest
// name for "did you mean".

export { isQuotable, quoteName } from "./errors/quotable.ts";
export { tooDeep } from "./errors/too-deep.ts";
export { isTooDeep, maxDepth, mayBeTooDeep } from "./json/json-depth.ts";
export { JsonDepthError, parseJsonText } from "./json/parse-json-text.ts";
export { editDistance } from "./text/edit-distance.ts";
export { byLikeness, nearest } from "./text/nearest.ts";
