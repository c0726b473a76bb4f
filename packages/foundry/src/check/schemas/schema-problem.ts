import type { ErrorObject } from "ajv";

/** One violation of a schema. */
export interface SchemaProblem {
  /** JSON path in the value, such as `$.a[0]`. */
  readonly path: string;
  readonly message: string;
}

const maxTextLength = 200;
const plainName = /^[A-Za-z_$][\w$-]*$/;

/** Converts an error of ajv and adds names that the error message omits. */
export function toSchemaProblem({ instancePath, message, keyword, params }: ErrorObject): SchemaProblem {
  const extra = params["additionalProperty"] ?? params["unevaluatedProperty"] ?? params["propertyName"];
  const values: unknown = params["allowedValues"] ?? params["allowedValue"];
  const detail = extra ?? (keyword === "enum" || keyword === "const" ? JSON.stringify(values) : undefined);
  const text = message ?? `breaks ${keyword}`;
  return {
    path: toPath(instancePath),
    message: toShortText(detail === undefined ? text : `${text}: ${String(detail)}`),
  };
}

/** Shortens an untrusted text to one line. */
export function toShortText(text: string): string {
  // The text is shortened before it is cleaned, because it may be megabytes long.
  const line = text
    .slice(0, 2 * maxTextLength)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const points = [...line];
  return points.length > maxTextLength ? `${points.slice(0, maxTextLength - 1).join("")}…` : line;
}

/** Converts a JSON pointer such as `/a/0/b c` to `$.a[0]["b c"]`. */
function toPath(pointer: string): string {
  const steps = pointer
    .slice(0, 2000)
    .split("/")
    .slice(1, 31)
    .map((step) => toStep(step.replaceAll("~1", "/").replaceAll("~0", "~")));
  return toShortText(`$${steps.join("")}`);
}

function toStep(key: string): string {
  if (/^(0|[1-9]\d*)$/.test(key)) return `[${key}]`;
  return plainName.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 64).toWellFormed())}]`;
}
