/** An error with a code of its own. */
export function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** The code of an error of a database, such as `57P01` or `ECONNREFUSED`; nothing that could hold a secret. */
export function databaseErrorCode(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : "UNKNOWN";
}
