import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../source-files.ts";
import { plainEnv } from "../specs/programs.ts";
import { hasTerminal, openTerminal } from "../terminal.ts";

let clone: string;
beforeAll(async () => {
  clone = join(await mkdtemp(join(tmpdir(), "foundry-clone-")), "foundry");
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  mkdirSync(clone);
  // The files of the working tree are copied, because a clone would not contain uncommitted changes.
  const copied = spawnSync("sh", ["-c", `tar -c --null -T - | tar -x -C '${clone}'`], {
    cwd: root,
    input: listed.stdout,
  });
  expect(copied.status).toBe(0);
  linkPackages();
});
afterAll(() => rmSync(join(clone, ".."), { recursive: true, force: true }));

/**
 * Installs like `npm ci`, but without downloads. External packages are links to this checkout, and the packages of
 * the project are links to the clone.
 */
function linkPackages(): void {
  const [from, to] = [join(root, "node_modules"), join(clone, "node_modules")];
  mkdirSync(join(to, "@foundry-mcp"), { recursive: true });
  const own = ["@foundry-mcp", "foundry-mcp", ".bin"];
  for (const name of readdirSync(from))
    if (!own.includes(name)) symlinkSync(join(from, name), join(to, name));
  for (const name of ["contract", "toolkit"])
    symlinkSync(join(clone, "packages", name), join(to, "@foundry-mcp", name));
  symlinkSync(join(clone, "packages/foundry"), join(to, "foundry-mcp"));
}

const start = () =>
  openTerminal(["npm", "start", "--", "--port", "0"], {
    cwd: clone,
    env: { ...plainEnv(clone), TERM: "xterm", NO_COLOR: "1" },
  });

it.skipIf(!hasTerminal)(
  "npm start builds a fresh checkout and shows how far it is; the second time it builds nothing",
  async () => {
    const first = start();
    await first.until("Ctrl-C stops the server.\n");
    first.press("\u0003");
    await first.ended;
    const steps = ["packages/contract", "packages/toolkit", "packages/foundry", "the programs", "the page"];
    const bars = steps.map(
      (step, index) => `[${"#".repeat(index * 6).padEnd(30, ".")}] Building ${step} (${index + 1} of 5)`,
    );
    const startOfLine = "\r\u001b[2K";
    expect(first.text).toContain(
      `Building Foundry. The first time takes about a minute.\n${bars.map((bar) => startOfLine + bar).join("")}${startOfLine}`,
    );
    expect(first.text).toContain(
      "\nThe sample workspace is .build/sample/specs; it stays as you leave it.\n",
    );

    const second = start();
    await second.until("Ctrl-C stops the server.\n");
    second.press("\u0003");
    await second.ended;
    expect(second.text).not.toContain("Building");
  },
);
