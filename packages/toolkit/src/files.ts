// Files: errors of the file system, for code that reads and writes files.
export { isMissing, systemErrorCode, unlessMissing } from "./files/system-error.ts";
