import { shortestSecret } from "./expand-variables.ts";

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string;

const mask = "***";
/** Values that every JSON text is full of. */
const words = new Set(["true", "false", "null", "none", "undefined"]);
/** A piece of base64 that is shorter might be anything. */
const shortestPiece = 8;

/** Creates what replaces each secret by `***`, also where it is escaped for JSON, encoded for a URL or in base64. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const told = secrets.filter(
    (secret) => secret.length >= shortestSecret && !words.has(secret.toLowerCase()),
  );
  const forms = [...new Set(told.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  return (text) => maskRanges(text, forms);
}

/** A JSON value with every secret in its texts, keys and numbers replaced. */
export function redactDeep(value: unknown, redact: Redactor): unknown {
  const root: { value?: unknown } = {};
  // A list of what is left to do, not recursion: values from outside may be nested deeper than the stack.
  const tasks: { readonly value: unknown; readonly put: (value: unknown) => void }[] = [
    {
      value,
      put: (redacted) => {
        root.value = redacted;
      },
    },
  ];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { value: given, put } = task;
    if (Array.isArray(given)) {
      const list: unknown[] = new Array(given.length);
      put(list);
      for (const [index, item] of given.entries()) {
        tasks.push({
          value: item,
          put: (redacted) => {
            list[index] = redacted;
          },
        });
      }
    } else if (typeof given === "object" && given !== null) {
      const object = {};
      put(object);
      for (const [key, item] of Object.entries(given)) {
        const name = freeKey(object, redact(key));
        define(object, name, undefined);
        tasks.push({ value: item, put: (redacted) => define(object, name, redacted) });
      }
    } else put(redactScalar(given, redact));
  }
  return root.value;
}

function redactScalar(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "number") return value;
  const text = redact(String(value));
  return text === String(value) ? value : text;
}

/** Two keys may become the same once their secrets are gone. */
function freeKey(object: object, key: string): string {
  let free = key;
  for (let count = 2; Object.hasOwn(object, free); count += 1) free = `${key} (${count})`;
  return free;
}

/** Assigning would take `__proto__` for something else. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Secrets may overlap: whatever any of them covers goes. */
function maskRanges(text: string, forms: readonly string[]): string {
  const ranges = forms.flatMap((form) => {
    const found: { from: number; to: number }[] = [];
    for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + 1)) {
      found.push({ from, to: from + form.length });
    }
    return found;
  });
  let masked = "";
  let done = 0;
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    const isTouching = done > 0 && from <= done;
    if (!isTouching) masked += text.slice(done, from) + mask;
    done = Math.max(done, to);
  }
  return masked + text.slice(done);
}

function formsOf(secret: string): readonly string[] {
  const wellFormed = secret.toWellFormed();
  const url = encodeURIComponent(wellFormed);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    url,
    url.replaceAll("%20", "+"),
    url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...base64FormsOf(wellFormed),
  ].filter((form) => form.length >= shortestSecret);
}

/** In base64 a secret looks different by what stands before it: three ways, as `user:secret` may begin anywhere. */
function base64FormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const pieces = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Only what no neighbour has a part in: whole groups of six bits.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const long = pieces.filter((piece) => piece.length >= shortestPiece);
  return [whole, ...long].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}
