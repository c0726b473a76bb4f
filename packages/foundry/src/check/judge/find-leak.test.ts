import { describe, expect, it } from "vitest";
import { findLeak, type LeakContext } from "./find-leak.ts";

const nothing: LeakContext = { sent: "", definition: "", secrets: [], folders: [], given: [] };
const folders = ["/opt/berth/tides", "/home/keeper"];
const leakIn = (text: string, more: Partial<LeakContext> = {}) => findLeak([text], { ...nothing, ...more });

describe("findLeak", () => {
  it.each([
    ["TypeError: x\\n    at run (/srv/a.js:3:9)", "a stack"],
    ["Error: no\n    at async Object.handle (index.js:10:2)", "a stack"],
    ["failed at run (src/index.ts:3:9)", "a stack"],
    ["Traceback (most recent call last):\n  File", "a stack"],
    ['File "app/main.py", line 3, in run', "a stack"],
    ["goroutine 12 [running]", "a stack"],
    ["at com.acme.Main.run(Main.java:12)", "a stack"],
    ["System.Exception: no\n   at Acme.Notes.Get(String id)", "a stack"],
    ["no\n   at Acme.Notes.Get(String id) in Notes.cs:line 12", "a stack"],
    ["Stack trace:\n#0 index.php(12): run()", "a stack"],
    ["Uncaught Error in notes.php on line 12", "a stack"],
    ["thread 'main' panicked at src/main.rs:3:5", "a stack"],
    ["app/notes.rb:12:in `get'", "a stack"],
    ["Cannot load file:///C:/x/index.js", "an address of a module"],
    ["thrown in node:internal/fs", "an address of a module"],
    ["in lib/node_modules/left-pad/index.js", "an address of a module"],
    ["ENOENT: no such file, open '/home/ann/notes.db'", "a path of the machine"],
    ["[Errno 13] Permission denied: '/data/notes.db'", "a path of the machine"],
    ["/var/lib/app/data.json", "a path of the machine"],
    ["the database /opt/app/data/notes.db is locked", "a path of the machine"],
    ["C:\\Users\\ann\\notes\\notes.db", "a path of the machine"],
    ["Cannot open \\\\files\\ann\\notes.db", "a path of the machine"],
  ])("finds in %j %s", (text, name) => {
    expect(leakIn(text)?.name).toBe(name);
  });

  it.each([
    ["-----BEGIN RSA PRIVATE KEY-----", "a private key", "----***"],
    ["key AKIAABCDEFGHIJKLMNOP is expired", "an access key of AWS", "AKIA***"],
    [`token ghp_${"a1".repeat(18)} is bad`, "a token of GitHub", "ghp_***"],
    [`token github_pat_${"a1".repeat(18)}`, "a token of GitHub", "gith***"],
    ["Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz", "a JSON web token", "eyJh***"],
    ["cannot reach postgres://notes:tr0ub4dor@db.local/notes", "an address with a password", "post***"],
  ])("finds in %j %s, and does not repeat it", (text, name, words) => {
    expect(leakIn(text)).toEqual({ name, words });
  });

  it.each([
    "Note not found: 12",
    "Use and/or or either/or",
    "see https://example.com/home/guide or docs/home/page.md",
    "See https://docs.example.com/home/errors/q for help",
    "the route /api/tools/list does not exist",
    "No route /users/{id}; use /api/users",
    "the route /data/v1/items/7 does not exist",
    "at 10:30 the tide turns",
    "q is wrong at line 3 (column 5:12)",
    "Meet at Module.start (room 3:10:4)",
    "at com.example.Foo (bar)",
    'File "notes.txt", line 3: not a number',
    "goroutine 1 of q is odd",
    "Look at the file src/app.py",
    "a ratio of 3/4 at a:b",
    "q must be an absolute path such as /home/me/notes.md",
    'Send an absolute path, for example "/home/me/notes/today/one.md".',
    "write to /tmp/out instead",
    "the flags /opt/in and /opt/out are exclusive",
    "mount your data under /data or /var/lib/app, as the manual says",
    "see /usr/share/doc on your machine",
    "and/or/usr/bin style",
    "want application/home/user",
    "drive C:\\Users is an example",
    "must look like C:\\Windows\\...",
    "must match ^\\d+\\.\\d+$",
    "postgres://user:password@host/db is what it looks like",
    "mysql://<user>:<password>@<host>",
    "write to ann@example.com: or https://example.com:8080/a@b",
    "a key such as AKIAIOSFODNN7EXAMPLE",
    "-----BEGIN PUBLIC KEY-----",
  ])("finds nothing in %j", (text) => {
    expect(leakIn(text)).toBeUndefined();
  });

  it("allows what the caller has sent and what the definition says", () => {
    const text = "No such file or directory: /home/ann/notes.db.";
    expect(leakIn(text)?.words).toBe("/home/ann/notes.db");
    expect(leakIn(text, { sent: "read\n/home/ann/notes.db" })).toBeUndefined();
    expect(leakIn(text, { definition: "Such as /home/ann/notes.db" })).toBeUndefined();
    expect(leakIn(text, { sent: "/home/bob" })?.words).toBe("/home/ann/notes.db");
  });

  it("allows the paths that the server was given, and what lies below them", () => {
    const text = "Access denied - path outside allowed directories: not in /home/keeper/files/docs";
    const given = ["/home/keeper/files"];
    expect(leakIn(text, { folders })?.words).toBe("/home/keeper/files/docs");
    expect(leakIn(text, { folders, given })).toBeUndefined();
    expect(leakIn(`${text}, /home/keeper/a`, { folders, given })?.words).toBe("/home/keeper/a");
    expect(leakIn("ENOENT: /home/keeper/files-2/a/b", { given })?.words).toBe("/home/keeper/files-2/a/b");
    expect(leakIn("ENOENT: /home/keeper/files/../a/b", { given })?.words).toBe("/home/keeper/files/../a/b");
  });

  it("finds the folders of the process, however short the path is", () => {
    expect(leakIn("Cannot read /home/keeper/a", { folders })?.words).toBe("/home/keeper/a");
    expect(leakIn("Cannot read /opt/berth/tides", { folders })?.words).toBe("/opt/berth/tides");
    expect(leakIn("such as /home/keeper/a", { folders })?.words).toBe("/home/keeper/a");
    expect(leakIn("Cannot read /home/keepers/a", { folders })).toBeUndefined();
    expect(leakIn("Cannot read /app/a", { folders: ["/app", "/"] })).toBeUndefined();
  });

  it("finds a secret that the server was given, and does not repeat it", () => {
    expect(leakIn("refused: token-1234", { secrets: ["token-1234"] })).toEqual({
      name: "a secret that it was given",
      words: "***",
    });
  });

  it("is fast on long texts", () => {
    const texts = ["at ", "#1 ", "eyJ-", "a://", "/a", "\n  at ", "\\\\a\\", "E".repeat(9), "/home/"];
    for (const text of texts) expect(leakIn(text.repeat(50_000 / text.length))).toBeUndefined();
  });
});
