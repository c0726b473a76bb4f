import { describe, expect, it } from "vitest";
import { maskFromPassword, maskPasswords, maskUrlPassword, stripUserInfo } from "./mask-secrets.ts";

describe("maskUrlPassword()", () => {
  it.each([
    ["postgres://me:secret@db/team", "postgres://me:***@db/team"],
    [
      "postgresql://me:secret@db:5432/team?sslmode=require",
      "postgresql://me:***@db:5432/team?sslmode=require",
    ],
    ["postgres://me:se@cr:et/with@db/team", "postgres://me:***@db/team"],
    ["postgres://me:@db/team", "postgres://me:***@db/team"],
    ["postgres://me@db/team", "postgres://me@db/team"],
    ["postgres:///team?host=/run&password=se&secret", "postgres:///team?host=/run&password=***"],
    ["postgres://db/team?sslkey=/secret&sslpassword=secret", "postgres://db/team?sslkey=***&sslpassword=***"],
    ["postgres://:secret@db/team", "postgres://:***@db/team"],
    ["postgre://me:secret@db", "postgre://me:***@db"],
    ["me:secret@db/team", "me:***@db/team"],
    ["postgres://me:12?secret@db/team", "postgres://me:***@db/team"],
    ["file", "file"],
  ])("masks %s as %s", (url, masked) => {
    expect(maskUrlPassword(url)).toBe(masked);
    expect(masked).not.toContain("secret");
  });
});

describe("maskPasswords()", () => {
  it.each([
    ['unknown option "postgres://me:se cret@db"', 'unknown option "***"'],
    ["unknown option postgres://me:secret@db here", "unknown option *** here"],
    ["host=db password=secret", "host=db ***"],
    ["nothing to hide", "nothing to hide"],
  ])("masks addresses and passwords in %j", (text, masked) => {
    expect(maskPasswords(text)).toBe(masked);
  });
});

describe("maskFromPassword()", () => {
  it("masks the rest of the line, since an unquoted password may hold blanks", () => {
    expect(maskFromPassword("Unexpected argument 'postgres://me:se cret@db'. Try --help")).toBe(
      "Unexpected argument ***",
    );
  });
});

describe("stripUserInfo()", () => {
  it.each([
    ["https://me:secret@example.org/a", "https://example.org/a"],
    ["//me:secret@example.org/a", "//example.org/a"],
    ["me:secret@example.org", "example.org"],
    ["notes/me@home.md", "notes/me@home.md"],
  ])("turns %s into %s", (address, stripped) => {
    expect(stripUserInfo(address)).toBe(stripped);
  });
});
