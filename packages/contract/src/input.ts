// Input of others: the depth of JSON, names that errors may repeat, and the edit distance for "did you mean".

export { isQuotable, quoteName } from "./errors/quotable.ts";
export { tooDeep } from "./errors/too-deep.ts";
export { isTooDeep, maxDepth, mayBeTooDeep } from "./json/json-depth.ts";
export { JsonDepthError, parseJsonText } from "./json/parse-json-text.ts";
export { editDistance } from "./text/edit-distance.ts";
