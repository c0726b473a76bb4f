/** What is wrong with one argument. */
export interface FieldError {
  readonly field: string;
  /** The rule that does not hold: `required`, `type`, `format`, `pattern`, `enum`, `minimum`, … */
  readonly constraint: string;
  /** What came; only short single-line scalars are shown as they are. */
  readonly received?: unknown;
  readonly pattern?: string;
  /** What would be right, in words or as a value. */
  readonly expected?: unknown;
  readonly message?: string;
}

const longestShown = 200;
/** Names of arguments that hold secrets: `api_key`, `accessToken`, `password`, but not `max_tokens`. */
const secretName =
  /(^|[._-])(pass(word|wd|phrase)|pwd|pin|secret|token|jwt|auth|authorization|cookie|credentials?|(api|access|private|ssh)[_-]?key)($|[._-])|(Password|Secret|Token|(Api|Access|Secret|Private|Ssh)Key)$/i;

/** Makes a field error safe to send: long, structured and secret values are replaced by their type and length. */
export function toSafeFieldError(error: FieldError): FieldError {
  const field = quoteShort(error.field);
  if (error.received === undefined) return { ...error, field };
  return { ...error, field, received: toReceived(error.received, secretName.test(error.field)) };
}

function toReceived(value: unknown, isSecret: boolean): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && !isSecret) return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string" && !isSecret && isShort(value)) return value;
  return describe(value);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const lineBreakOrControl = /[\u0000-\u001f\u007f\u2028\u2029]/;

/** One line of at most 200 characters, fit to stand in a message or in details. */
export function isShort(text: string): boolean {
  // Twice as many code units at most, before anything is counted: a text may be megabytes long.
  return (
    text.length <= 2 * longestShown && [...text].length <= longestShown && !lineBreakOrControl.test(text)
  );
}

function describe(value: unknown): string {
  if (typeof value === "string") return `string of ${value.length} characters`;
  if (Array.isArray(value)) return `array of ${value.length} items`;
  return typeof value === "object" ? "object" : typeof value;
}

/** Quotes an identifier for a message, shortened where it is long. */
export function quoteShort(value: unknown): string {
  const text = String(value).toWellFormed();
  return isShort(text) ? text : describe(value);
}
