import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { isDatabaseUrl, parseDatabaseUrl } from "./database-url.ts";

describe("isDatabaseUrl", () => {
  it.each([
    ["postgres://db", true],
    ["PostgreSQL://db", true],
    ["mysql://db", false],
    ["postgres:db", false],
    ["", false],
  ])("returns for %j: %s", (text, isOne) => {
    expect(isDatabaseUrl(text)).toBe(isOne);
  });
});

describe("parseDatabaseUrl", () => {
  it.each([
    ["postgres://me:secret@db.example.org/team", "db.example.org/team"],
    ["postgresql://db.example.org:6543/team", "db.example.org:6543/team"],
    ["POSTGRES://me@db/team", "db/team"],
    ["postgres://me:secret@db", "db/me"],
    ["postgres://db", "db/postgres"],
    ["postgres://me:a%40b%2Fc%3A@db/te%20am", "db/te am"],
    ["postgres://me:p@ss,word@db/team", "db/team"],
    ["postgres://me:100%sure%E0@db/team", "db/team"],
    ["postgres://me:secret@[::1]:5432/team", "[::1]:5432/team"],
    ["postgres:///team?host=/run/postgresql", "/run/postgresql/team"],
    ["postgres://me:secret@/team?host=/run/postgresql", "/run/postgresql/team"],
    ["postgres://%2Frun%2Fpostgresql/team", "%2Frun%2Fpostgresql/team"],
    ["postgres://db/team?user=me%40corp&password=secret", "db/team"],
  ])("parses %s and names it without credentials", (url, name) => {
    expect(parseDatabaseUrl(url)).toEqual({ url, name });
  });

  it.each([
    ["mysql://me:secret@db/team", "it does not begin with postgres://"],
    ["postgres:/me:secret@db/team", "it does not begin with postgres://"],
    ["", "it does not begin with postgres://"],
    ["postgres://me:secret@", "it is no address"],
    ["postgres://me:secret@db:99999/team", "it is no address"],
    ["postgres://me:secret@d b/team", "it is no address"],
    ["postgres://me:1234/secret@db/team", "there is an @ after the host"],
    ["postgres://me:1234?secret@db/team", "there is an @ after the host"],
    ["postgres://me:1234#secret@db/team", "there is an @ after the host"],
    ["postgres://me:1@1234/secret@db/team", "there is an @ after the host"],
    ["postgres://me:1234/x?secret@db/team", "there is an @ after the host"],
    ["postgres://db:5432/team?user=me@secret", "there is an @ after the host"],
    ["postgres://me:secret%E0@db/team", "its percent-encoding is no UTF-8"],
    ["postgres://me:secret@db/%FFteam", "its percent-encoding is no UTF-8"],
    ["postgres://me:secret/1@db/team", "there is an @ after the host"],
  ])("refuses %s without repeating it", (url, why) => {
    const thrown = failureOf(url);
    expect(thrown).toMatchObject({
      code: "VALIDATION_ERROR",
      message: `Cannot use the address of the database: ${why}`,
      options: {
        remediation: expect.stringContaining("percent-encoded"),
        details: { field: "store", constraint: "address", expected: "postgres://user@host/database" },
      },
    });
    expect(JSON.stringify(thrown)).not.toMatch(/secret|1234/);
  });

  it("never reports a password", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[0-9]{1,4}[/?#:@,%[\] ]*$/));
    fc.assert(
      fc.property(text, text, fc.boolean(), (before, after, isEncoded) => {
        const password = `${before}Hush${after}`;
        const url = `postgres://me:${isEncoded ? encodeURIComponent(password) : password}@db.example.org/team`;
        const thrown = failureOf(url);
        if (thrown === undefined) {
          expect(parseDatabaseUrl(url).name).toBe("db.example.org/team");
          // The driver accepts the address too.
          expect(new pg.Client({ connectionString: url })).toMatchObject({ user: "me", database: "team" });
        } else {
          expect([isEncoded, isContractError(thrown)]).toEqual([false, true]);
          expect(JSON.stringify(thrown) + String(thrown)).not.toContain("Hush");
        }
      }),
    );
  });
});

function failureOf(url: string): unknown {
  try {
    parseDatabaseUrl(url);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}
