import { ContractError, type ErrorCode, fromUnknown } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { isConnectionBroken, isConnectionFailure, isTransient, toDatabaseError } from "./database-error.ts";

/** Creates an error as the driver throws it for an error of the database. */
const told = (code: string, severity = "ERROR") =>
  Object.assign(new Error('password "Hush" of db.example.org'), { code, severity });
/** Creates an error as Node throws it if a database cannot be reached. */
const unreached = (code: string, syscall = "connect") =>
  Object.assign(new Error("connect db.example.org"), { code, syscall });
const said = (message: string) => new Error(message);

/**
 * A row of the table: the thrown error, its code, the delay before a retry, whether the call is retried at once, and
 * whether the connection is kept.
 */
type Row = readonly [unknown, ErrorCode, number | undefined, "passes" | "stays", "kept" | "dropped"];
const rows: readonly Row[] = [
  [told("57P01", "FATAL"), "UNAVAILABLE", 2, "passes", "dropped"],
  [told("57P02", "FATAL"), "UNAVAILABLE", 2, "passes", "dropped"],
  [told("57P03", "FATAL"), "UNAVAILABLE", 2, "passes", "dropped"],
  [told("57P04", "FATAL"), "UNAVAILABLE", 2, "passes", "dropped"],
  [told("57P05", "FATAL"), "UNAVAILABLE", 2, "passes", "dropped"],
  [told("08006", "FATAL"), "UNAVAILABLE", 2, "passes", "dropped"],
  [unreached("ECONNREFUSED"), "UNAVAILABLE", 2, "passes", "dropped"],
  [unreached("ECONNRESET"), "UNAVAILABLE", 2, "passes", "dropped"],
  [unreached("EPIPE"), "UNAVAILABLE", 2, "passes", "dropped"],
  [unreached("ENOENT"), "UNAVAILABLE", 2, "passes", "dropped"],
  [unreached("ENOTFOUND"), "UNAVAILABLE", 2, "passes", "dropped"],
  [unreached("EAI_AGAIN"), "UNAVAILABLE", 2, "passes", "dropped"],
  [new AggregateError([unreached("ECONNREFUSED")], ""), "UNAVAILABLE", 2, "passes", "kept"],
  [said("Connection terminated unexpectedly"), "UNAVAILABLE", 2, "passes", "dropped"],
  [said("Connection terminated due to connection timeout"), "UNAVAILABLE", 2, "passes", "dropped"],
  [said("timeout exceeded when trying to connect"), "UNAVAILABLE", 2, "passes", "dropped"],
  [said("timeout expired"), "UNAVAILABLE", 2, "passes", "dropped"],
  [
    said("Client has encountered a connection error and is not queryable"),
    ...(["UNAVAILABLE", 2, "passes", "dropped"] as const),
  ],
  [told("53300", "FATAL"), "RESOURCE_BUSY", 2, "passes", "dropped"],
  [told("40001"), "RESOURCE_BUSY", 1, "passes", "kept"],
  [told("40P01"), "RESOURCE_BUSY", 1, "passes", "kept"],
  [told("57014"), "TIMEOUT", 5, "stays", "kept"],
  [told("55P03"), "TIMEOUT", 5, "stays", "kept"],
  [told("25P03", "FATAL"), "TIMEOUT", 5, "stays", "dropped"],
  [told("25P04", "FATAL"), "TIMEOUT", 5, "stays", "dropped"],
  [said("Query read timeout"), "TIMEOUT", 5, "stays", "dropped"],
  [told("25006"), "UNAVAILABLE", 5, "stays", "dropped"],
  [told("26000"), "UNAVAILABLE", undefined, "stays", "dropped"],
  [told("42P05"), "UNAVAILABLE", undefined, "stays", "dropped"],
  [told("42P01"), "UNAVAILABLE", undefined, "stays", "kept"],
  [told("3F000"), "UNAVAILABLE", undefined, "stays", "kept"],
  [told("58030"), "UNAVAILABLE", 30, "stays", "kept"],
  [told("XX001"), "UNAVAILABLE", 30, "stays", "kept"],
  [told("53100"), "RESOURCE_EXHAUSTED", undefined, "stays", "kept"],
  [told("53200"), "RESOURCE_EXHAUSTED", 2, "stays", "kept"],
  [told("53400"), "RESOURCE_EXHAUSTED", 2, "stays", "kept"],
  [told("28P01", "FATAL"), "FORBIDDEN", undefined, "stays", "dropped"],
  [told("28000", "FATAL"), "FORBIDDEN", undefined, "stays", "dropped"],
  [told("42501"), "FORBIDDEN", undefined, "stays", "kept"],
  [
    said("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
    ...(["FORBIDDEN", undefined, "stays", "kept"] as const),
  ],
  [told("3D000", "FATAL"), "NOT_FOUND", undefined, "stays", "dropped"],
  [said("The server does not support SSL connections"), "UNAVAILABLE", undefined, "stays", "dropped"],
  [unreached("SELF_SIGNED_CERT_IN_CHAIN"), "UNAVAILABLE", undefined, "stays", "dropped"],
  [unreached("ENOENT", "open"), "UNAVAILABLE", undefined, "stays", "dropped"],
];

describe("a database error", () => {
  it.each(rows.map((row) => [nameOf(row[0]), ...row] as const))(
    "%s is told so that the caller can go on",
    (_name, thrown, code, seconds, passing, connection) => {
      const failure = toDatabaseError(thrown, 'read the spec "a"');
      expect(failure).toBeInstanceOf(ContractError);
      const envelope = fromUnknown(failure, { requestId: "r" });
      expect(envelope.data).toMatchObject({
        error_code: code,
        remediation: expect.stringMatching(/try again|Create it|Check the user/i),
        details: { dependency: "postgresql" },
        ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
      });
      expect("retry_after_seconds" in envelope.data).toBe(seconds !== undefined);
      expect(envelope.error).toMatch(/^Cannot read the spec "a": [a-z]/);
      // The message of the database may contain anything.
      expect(JSON.stringify(envelope)).not.toMatch(/Hush|example\.org/);
      expect((failure as Error).cause).toBe(thrown);
      expect(isTransient(thrown)).toBe(passing === "passes");
      expect(isConnectionBroken(thrown)).toBe(connection === "dropped");
    },
  );

  it("warns that a change may have been made only if its outcome is unknown", () => {
    const unsure = rows.filter(([thrown]) => {
      const { options } = toDatabaseError(thrown, "change it") as ContractError;
      return options.remediation?.includes("A change may have been made") ?? false;
    });
    for (const [thrown, code] of unsure)
      expect([isConnectionFailure(thrown) || code === "TIMEOUT", nameOf(thrown)]).toEqual([
        true,
        nameOf(thrown),
      ]);
    expect(unsure.map(([thrown]) => nameOf(thrown))).toEqual(
      expect.arrayContaining(["Query read timeout", "57P01", "Connection terminated unexpectedly"]),
    );
    expect(unsure.map(([thrown]) => nameOf(thrown))).not.toContain("57014");
  });

  it("of an unknown kind is returned unchanged, as is an error of a plan", () => {
    const refusal = new ContractError("No", { errorCode: "CONFLICT" });
    for (const thrown of [told("42601"), new TypeError("x is undefined"), refusal, undefined, "text"]) {
      expect(toDatabaseError(thrown, "read it")).toBe(thrown);
      expect([isTransient(thrown), isConnectionFailure(thrown)]).toEqual([false, false]);
    }
    for (const thrown of [told("42601"), new TypeError("x is undefined"), refusal, undefined])
      expect(isConnectionBroken(thrown)).toBe(false);
  });
});

function nameOf(thrown: unknown): string {
  const { code, message, syscall } = thrown as { code?: string; message: string; syscall?: string };
  return `${code ?? (message || "AggregateError")}${syscall === "open" ? " of a file" : ""}`;
}
