import { getOwn, type UntrustedSchema } from "./json-schema.ts";

/** What a reference such as `#/$defs/port` stands for within a root; undefined where it stands for nothing. */
export function resolveRef(ref: unknown, root: UntrustedSchema): unknown {
  if (typeof ref !== "string" || !(ref === "#" || ref.startsWith("#/"))) return undefined;
  let found: unknown = root;
  for (const step of ref.split("/").slice(1)) {
    const key = decodeStep(step);
    found = Array.isArray(found) ? found[Number(key)] : getOwn(found, key);
  }
  return found;
}

function decodeStep(step: string): string {
  return decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
