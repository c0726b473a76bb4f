import { describe, expect, it } from "vitest";
import { findLeak } from "./find-leak.ts";

const nothing = { sent: "{}", secrets: [] };

describe("findLeak", () => {
  it.each([
    ["TypeError: x\\n    at run (/srv/a.js:3:9)", "a stack"],
    ["Error: no\n    at async Object.handle (index.js:10:2)", "a stack"],
    ["Traceback (most recent call last):\n  File", "a stack"],
    ['File "app/main.py", line 3, in run', "a stack"],
    ["goroutine 12 [running]", "a stack"],
    ["at com.acme.Main.run(Main.java:12)", "a stack"],
    ["Cannot load file:///C:/x/index.js", "an address of a module"],
    ["thrown in node:internal/fs", "an address of a module"],
    ["-----BEGIN RSA PRIVATE KEY-----", "a private key"],
    ["ENOENT: no such file, open '/home/ann/notes.db'", "a path of the machine"],
    ['{"file":"/var/lib/app/data.json"}', "a path of the machine"],
    ['{"file":"C:\\\\Users\\\\ann\\\\notes.db"}', "a path of the machine"],
  ])("finds in %j %s", (text, name) => {
    expect(findLeak(text, nothing)?.name).toBe(name);
  });

  it.each([
    "Note not found: 12",
    "Use and/or or either/or",
    "see https://example.com/home/guide or docs/home/page.md",
    "the route /api/tools/list does not exist",
    "at 10:30 the tide turns",
    "Look at the file src/app.py",
    "a ratio of 3/4 at a:b",
  ])("finds nothing in %j", (text) => {
    expect(findLeak(text, nothing)).toBeUndefined();
  });

  it("lets come back what the caller has sent", () => {
    const text = "No such file: /home/ann/notes.db";
    expect(findLeak(text, { sent: '{"path":"/home/ann/notes.db"}', secrets: [] })).toBeUndefined();
    expect(findLeak(text, { sent: '{"path":"/home/bob"}', secrets: [] })?.words).toBe("/home/ann/notes.db");
  });

  it("finds a secret that the server was given, and does not repeat it", () => {
    expect(findLeak("refused: token-1234", { sent: "{}", secrets: ["token-1234"] })).toEqual({
      name: "a secret that it was given",
      words: "***",
    });
  });
});
