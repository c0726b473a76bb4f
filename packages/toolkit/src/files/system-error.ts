/** The code of a Node.js system error, such as `ENOENT`; empty for anything else that was thrown. */
export function systemErrorCode(thrown: unknown): string {
  try {
    const { code } = (thrown ?? {}) as { code?: unknown };
    return typeof code === "string" ? code : "";
  } catch {
    // Whatever was thrown may throw again when it is read.
    return "";
  }
}

/** True for the error of a file or folder that does not exist. */
export function isMissing(thrown: unknown): boolean {
  return systemErrorCode(thrown) === "ENOENT";
}

/** Awaits a file operation; undefined if the file or folder does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (err) {
    if (isMissing(err)) return undefined;
    throw err;
  }
}
