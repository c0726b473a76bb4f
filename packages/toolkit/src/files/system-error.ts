/** Returns the code of a Node.js system error, such as `ENOENT`; empty for any other thrown value. */
export function systemErrorCode(thrown: unknown): string {
  try {
    const { code } = (thrown ?? {}) as { code?: unknown };
    return typeof code === "string" ? code : "";
  } catch {
    // Reading a member of the thrown value may throw again.
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
