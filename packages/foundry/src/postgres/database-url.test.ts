import { describe, expect, it } from "vitest";
import { isDatabaseUrl, withoutPassword } from "./database-url.ts";

describe("the address of a database", () => {
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
  ])("%s is told as %s", (url, told) => {
    expect(withoutPassword(url)).toBe(told);
    expect(told).not.toContain("secret");
  });

  it.each([
    ["postgres://db", true],
    ["PostgreSQL://db", true],
    ["mysql://db", false],
    ["postgres:db", false],
    ["", false],
  ])("is %s one: %s", (text, isOne) => {
    expect(isDatabaseUrl(text)).toBe(isOne);
  });
});
