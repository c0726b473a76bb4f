/** Replaces secrets in a text. */
export type Redactor = (text: string) => string;

const mask = "***";
/** Shorter values occur everywhere: to mask them would hide the rest. */
export const minSecretLength = 4;
/** Values that occur in every JSON text. */
const words = new Set(["true", "false", "null", "none", "undefined"]);
/** A shorter part of base64 could be anything. */
const minBase64Length = 8;

/** Creates a redactor that replaces each secret by `***`, also escaped for JSON, encoded for a URL or in base64. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const maskable = secrets.filter(
    (secret) => secret.length >= minSecretLength && !words.has(secret.toLowerCase()),
  );
  const forms = [...new Set(maskable.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  return (text) => maskRanges(text, forms);
}

/** Replaces every secret in the strings, keys and numbers of a JSON value. */
export function redactDeep(value: unknown, redact: Redactor): unknown {
  const root: { value?: unknown } = {};
  // A work list instead of recursion: foreign values may be nested deeper than the stack.
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

/** Two keys may become equal once their secrets are masked. */
function freeKey(object: object, key: string): string {
  let free = key;
  for (let count = 2; Object.hasOwn(object, free); count += 1) free = `${key} (${count})`;
  return free;
}

/** An assignment to `__proto__` would set the prototype. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Masks the union of all ranges, since secrets may overlap. */
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
  ].filter((form) => form.length >= minSecretLength);
}

/** Base64 encodes a secret in three ways, depending on the offset: it may follow a prefix, as in `user:secret`. */
function base64FormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const encodings = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Only groups of six bits that no neighbouring byte shares.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const long = encodings.filter((encoding) => encoding.length >= minBase64Length);
  return [whole, ...long].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

const secretName =
  /(pass(word|wd|phrase)?|pwd|secret|token|jwt|auth|authorization|cookie|credentials?|key|signature|sig)$/i;

/** True for names of headers, variables and parameters whose values are secret: `API_KEY`, `Authorization`. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
