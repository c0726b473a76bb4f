import type { ErrorObject } from "ajv";

/** One way in which a value breaks a schema. */
export interface SchemaProblem {
  /** JSON path of the place in the value, `$.a[0]`. */
  readonly path: string;
  readonly message: string;
}

const longestText = 200;
const plainName = /^[A-Za-z_$][\w$-]*$/;

/** What ajv finds, with names where its message leaves them out. */
export function toSchemaProblem({ instancePath, message, keyword, params }: ErrorObject): SchemaProblem {
  const extra = params["additionalProperty"] ?? params["unevaluatedProperty"] ?? params["propertyName"];
  const values: unknown = params["allowedValues"] ?? params["allowedValue"];
  const told = extra ?? (keyword === "enum" || keyword === "const" ? JSON.stringify(values) : undefined);
  const text = message ?? `breaks ${keyword}`;
  return {
    path: toPath(instancePath),
    message: toShortText(told === undefined ? text : `${text}: ${String(told)}`),
  };
}

/** One short line of a text of any origin. */
export function toShortText(text: string): string {
  // Cut before it is cleaned: it may be megabytes long.
  const line = text
    .slice(0, 2 * longestText)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const points = [...line];
  return points.length > longestText ? `${points.slice(0, longestText - 1).join("")}…` : line;
}

/** `/a/0/b c` as `$.a[0]["b c"]`. */
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
