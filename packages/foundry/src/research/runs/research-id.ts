import { randomBytes } from "node:crypto";

const pattern = /^research-\d{8}-[0-9a-f]{6}$/;

/** A new id, such as `research-20261116-3f9a2c`: the day it was made, and what tells it from others of that day. */
export function newResearchId(now: Date): string {
  return `research-${now.toISOString().slice(0, 10).replaceAll("-", "")}-${randomBytes(3).toString("hex")}`;
}

/** True for an id of a research, which is the name of a folder; whatever could lead elsewhere is none. */
export function isResearchId(id: unknown): id is string {
  return typeof id === "string" && pattern.test(id);
}
