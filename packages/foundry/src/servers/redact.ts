/** Replaces secrets in a text. */
export type Redactor = (text: string) => string;

const mask = "***";
/**
 * The minimum length of a secret that is masked. Shorter values occur everywhere, so masking them would hide other
 * text.
 */
export const minSecretLength = 4;
/** Words that are common in JSON and therefore never masked. */
const words = new Set(["true", "false", "null", "none", "undefined"]);
/** The minimum length of a base64 form. A shorter base64 form could occur in other texts by chance. */
const minBase64Length = 8;

/** Creates a redactor that replaces each secret by `***`, including its JSON-escaped, URL-encoded and base64 forms. */
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
  // A work list is used instead of recursion, because values from outside may be nested deeper than the stack allows.
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

/** Returns a key that is not in use, because masking may make two keys equal. */
function freeKey(object: object, key: string): string {
  let free = key;
  for (let count = 2; Object.hasOwn(object, free); count += 1) free = `${key} (${count})`;
  return free;
}

/** Defines a property. An assignment to `__proto__` would set the prototype. */
export function define(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Masks the union of all ranges, because secrets may overlap. */
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

/**
 * Returns the three base64 forms of a secret. The form depends on the offset of the secret, because the secret may
 * follow a prefix, as in `user:secret`.
 */
function base64FormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const encodings = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // The form contains only the groups of six bits that do not depend on neighboring bytes.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const long = encodings.filter((encoding) => encoding.length >= minBase64Length);
  return [whole, ...long].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

const secretName =
  /(pass(word|wd|phrase)?|pwd|secret|token|jwt|auth|authorization|cookie|credentials?|key|signature|sig)$/i;

/** Returns true for names of headers, variables and parameters whose values are secret: `API_KEY`, `Authorization`. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
