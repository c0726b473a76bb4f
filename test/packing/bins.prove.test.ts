import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleBins } from "../../scripts/bundle-bins.ts";
import { root } from "../source-files.ts";
import { makeFolder } from "./packed.ts";
import { initialize, run, toComparable } from "./programs.ts";

const dist = join(root, "packages/foundry/dist");
const bundled = join(dist, "bin/foundry-cli.cjs");
const unbundled = join(dist, "cli/foundry-cli.js");
const spec = "actual-hours-auto-calculation-2026-01-06-001";

let folder: string;
beforeAll(() => {
  folder = makeFolder();
  cpSync(join(root, "test/fixtures/specs"), join(folder, "specs"), { recursive: true });
  writeFileSync(join(folder, "answer.json"), '{"success":true,"data":{},"error":null,"meta":{}}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cache = () => ({ XDG_CACHE_HOME: join(folder, "cache") });
const cli = (args: readonly string[], env: Readonly<Record<string, string>> = cache()) =>
  run(process.execPath, [bundled, ...args], { cwd: folder, env });

describe("the bundled programs", () => {
  const example = join(root, ".build/examples/02-server/server.js");
  it.each([
    ["version"],
    ["specs find"],
    ["specs find --limit 2 --human"],
    [`tasks next ${spec}`],
    [`validate check ${spec}`],
    ["specs get no-such-spec"],
    ["specs fnd"],
    ["specs find --limti 2"],
    ["--help"],
    ["tasks --help"],
    ["completion bash"],
    ["serve --prot 1"],
    ["contract validate answer.json"],
    [`contract check --time-limit 20 -- ${process.execPath} ${example}`],
  ])("answer as the unbundled do: %s", (line) => {
    const args = line.split(" ");
    const other = run(process.execPath, [unbundled, ...args], { cwd: folder });
    // A completion script contains the path of the program that wrote it.
    const expected = { ...other, stdout: other.stdout.replaceAll(unbundled, bundled) };
    expect(toComparable(cli(args))).toEqual(toComparable(expected));
    expect(other.stdout + other.stderr).not.toBe("");
  });

  it("serve as the unbundled do", async () => {
    const [launched, other] = await Promise.all(
      ["../bin/foundry-mcp.cjs", "cli/foundry-mcp.js"].map((path) =>
        initialize(process.execPath, [join(dist, path)], folder),
      ),
    );
    expect(launched).toEqual(other);
    expect(launched).toMatchObject({ result: { serverInfo: { name: "foundry-mcp" } } });
  });

  it("contain no more packages than each program needs", async () => {
    const files = await bundleBins(join(folder, "bin"));
    expect(files.get("command-line.cjs")).toEqual([
      "@noble/hashes",
      "@opentelemetry/api",
      "get-east-asian-width",
      "picocolors",
      "smol-toml",
      "zod",
    ]);
    expect(files.get("server.cjs")).toEqual([
      "@modelcontextprotocol/core",
      "@modelcontextprotocol/server",
      "@noble/hashes",
      "@openfeature/core",
      "@openfeature/server-sdk",
      "@opentelemetry/api",
      "@pinojs/redact",
      "atomic-sleep",
      "get-east-asian-width",
      "on-exit-leak-free",
      "picocolors",
      "pino",
      "pino-std-serializers",
      "quick-format-unescaped",
      "rate-limiter-flexible",
      "safe-stable-stringify",
      "smol-toml",
      "sonic-boom",
      "thread-stream",
      "zod",
    ]);
    for (const starter of ["foundry-cli.cjs", "foundry-mcp.cjs"]) expect(files.get(starter)).toEqual([]);
    const programs = [...files.keys()].filter((name) => /^foundry-/.test(name));
    expect(programs.toSorted()).toEqual(["foundry-cli.cjs", "foundry-mcp.cjs"]);
    const notices = readFileSync(join(folder, "bin/THIRD-PARTY.txt"), "utf8");
    for (const name of new Set([...files.values()].flat())) expect(notices).toContain(`${name} `);
  });
});

// Newer versions of Node have a compile cache themselves.
describe.skipIf(Number(process.versions.node.split(".")[0]) > 20)("the compiled code of foundry-cli", () => {
  const nameOf = (command: string) => `foundry-cli-${process.version}-${process.arch}-${command}.cache`;
  const place = (name: string) => {
    const home = join(folder, name);
    const cache = join(home, "foundry-mcp");
    return { home, cache, env: { XDG_CACHE_HOME: home }, file: join(cache, nameOf("version")) };
  };

  it("is kept by the second run of each command, whole and for its owner alone", () => {
    const { env, cache, file } = place("kept");
    const first = cli(["version"], env);
    const names = readFileSync(file);
    expect(readdirSync(cache)).toEqual([nameOf("version")]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(toComparable(cli(["version"], env))).toEqual(toComparable(first));
    const one = readFileSync(file);
    expect(one.length).toBeGreaterThan(names.length);
    expect(toComparable(cli(["version"], env))).toEqual(toComparable(first));
    cli(["specs", "find"], env);
    // Inputs that are not a command share one cache.
    cli(["--help"], env);
    cli(["../../etc", "x"], env);
    const caches = readdirSync(cache).filter((name) => name.endsWith(".cache"));
    expect(caches.toSorted()).toEqual([nameOf("any"), nameOf("specs-find"), nameOf("version")].toSorted());
    expect(readFileSync(file).equals(one)).toBe(true);
  });

  it("is kept by a server that its client has ended, and used by the next", async () => {
    const home = join(folder, "server");
    mkdirSync(home);
    const start = () => initialize(process.execPath, [join(dist, "../bin/foundry-mcp.cjs")], home);
    const file = join(home, ".cache/foundry-mcp", nameOf("server_stdio"));
    const first = await start();
    const names = readFileSync(file);
    expect(await start()).toEqual(first);
    const one = readFileSync(file);
    expect(one.length).toBeGreaterThan(names.length);
    expect(await start()).toEqual(first);
    expect(readFileSync(file).equals(one)).toBe(true);
  });

  it("makes room for new ones: the hundred commands that were used last are kept", () => {
    const { env, cache } = place("room");
    mkdirSync(cache, { recursive: true });
    // The names that are last in the alphabet were used most recently.
    for (let number = 0; number < 120; number++) {
      const path = join(cache, `foundry-cli-old-${String(number).padStart(3, "0")}.cache`);
      writeFileSync(path, "");
      utimesSync(path, number * 1_000, number * 1_000);
    }
    cli(["version"], env);
    const caches = readdirSync(cache).filter((name) => name.endsWith(".cache"));
    expect([caches.length, caches.includes(nameOf("version"))]).toEqual([100, true]);
    const old = caches.filter((name) => name.includes("-old-")).toSorted();
    expect([old[0], old.at(-1)]).toEqual(["foundry-cli-old-021.cache", "foundry-cli-old-119.cache"]);
  });

  it("completes ids in every run, with and without its code", () => {
    const { env, cache } = place("ids");
    const words = ["__complete", "3", "foundry-cli", "specs", "get", ""];
    const first = cli(words, env);
    expect(first.stdout).toContain(spec);
    for (let run = 0; run < 3; run++) expect(toComparable(cli(words, env))).toEqual(toComparable(first));
    expect(readdirSync(cache).filter((name) => name.includes("-ids-"))).toHaveLength(1);
  });

  it("contains only the modules of the command, and takes up another that is needed later", () => {
    const { env, cache } = place("modules");
    const read = (name: string) => readFileSync(join(cache, nameOf(name)), "latin1");
    const modules = () => [...read("specs-find").matchAll(/^\/\/#(\w+)$/gm)].map(([, name]) => name);
    cli(["specs", "find"], env);
    cli(["specs", "find"], env);
    const all = readFileSync(join(dist, "bin/command-line.cjs"), "latin1").match(/^\/\/#/gm) ?? [];
    const few = modules();
    expect(few.length).toBeLessThan(all.length / 2);
    const wrong = ["specs", "find", "--limti", "2"];
    const other = run(process.execPath, [unbundled, ...wrong], { cwd: folder });
    expect(toComparable(cli(wrong, env))).toEqual(toComparable(other));
    const more = modules();
    expect(more.length).toBeGreaterThan(few.length);
    expect(few.filter((name) => !more.includes(name))).toEqual([]);
    expect(toComparable(cli(wrong, env))).toEqual(toComparable(other));
    expect(toComparable(cli(wrong, env))).toEqual(toComparable(other));
  });

  it.each([
    ["nothing", () => Buffer.alloc(0)],
    ["no cache", () => Buffer.from("x".repeat(4_096))],
    ["half of it", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    [
      "the code of another bundle",
      (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace(/^./, "x"), "latin1"),
    ],
    [
      "code of another V8",
      (bytes: Buffer) => {
        const other = Buffer.from(bytes);
        const text = Number(other.toString("latin1", 0, other.indexOf("\n")).split(" ")[1]);
        const start = other.indexOf("\n") + 1 + text;
        other.fill(7, start, start + 16);
        return other;
      },
    ],
  ])("is written anew where the file holds %s", (_what, spoil) => {
    const { env, file } = place(`spoilt-${_what.replaceAll(" ", "-")}`);
    cli(["version"], env);
    const first = cli(["version"], env);
    const spoilt = spoil(readFileSync(file));
    writeFileSync(file, spoilt);
    expect(toComparable(cli(["version"], env))).toEqual(toComparable(first));
    expect(readFileSync(file).equals(spoilt)).toBe(false);
    expect(toComparable(cli(["version"], env))).toEqual(toComparable(first));
  });

  it("is not written again by a line without a command", () => {
    const { env, cache } = place("help");
    const file = join(cache, nameOf("any"));
    cli(["--help"], env);
    cli(["--help"], env);
    const one = readFileSync(file);
    cli(["--help"], env);
    expect(readFileSync(file).equals(one)).toBe(true);
  });

  it("is not run where others may write it", () => {
    const { env, file } = place("open");
    cli(["version"], env);
    chmodSync(file, 0o666);
    expect(cli(["version"], env).code).toBe(0);
    // The program ignored the cache that others may write, and created a new cache.
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is done without where there is no room for it, or nobody wants it", () => {
    const { env, home } = place("taken");
    writeFileSync(home, "");
    expect(cli(["version"], env).code).toBe(0);
    const none = place("none");
    mkdirSync(none.home);
    expect(cli(["version"], { ...none.env, NODE_DISABLE_COMPILE_CACHE: "1" }).code).toBe(0);
    expect(existsSync(none.file)).toBe(false);
  });
});
