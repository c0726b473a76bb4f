import type { EditPath } from "../../../files/json-text/edit.ts";

/** A place in a document as people read it: `$.hierarchy.task-2.status`, `$.hierarchy["odd id"].children[3]`. */
export function toJsonPath(path: EditPath): string {
  let text = "$";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (/^[A-Za-z_][\w-]{0,99}$/.test(key)) text += `.${key}`;
    else text += `[${JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key)}]`;
  }
  return text;
}
