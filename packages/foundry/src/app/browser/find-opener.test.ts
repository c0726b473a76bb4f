import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findOpener } from "./find-opener.ts";

const folder = mkdtempSync(join(tmpdir(), "opener-"));
afterAll(() => rmSync(folder, { recursive: true }));
const programs = join(folder, "programs");
const workspace = join(folder, "workspace");
for (const each of [programs, workspace]) {
  mkdirSync(each);
  writeFileSync(join(each, "xdg-open"), "");
  chmodSync(join(each, "xdg-open"), 0o755);
}

it.each<[string, string, Readonly<Record<string, string>>, readonly string[] | undefined]>([
  ["X11", "linux", { DISPLAY: ":0", PATH: programs }, [join(programs, "xdg-open")]],
  ["Wayland", "linux", { WAYLAND_DISPLAY: "wayland-0", PATH: programs }, [join(programs, "xdg-open")]],
  ["no display", "linux", { DISPLAY: "", PATH: programs }, undefined],
  ["no such program", "linux", { DISPLAY: ":0", PATH: "/nowhere" }, undefined],
  ["a program of the workspace", "linux", { DISPLAY: ":0", PATH: `.:${workspace}` }, undefined],
  ["macOS", "darwin", { PATH: workspace }, ["/usr/bin/open"]],
  ["macOS over SSH", "darwin", { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, undefined],
  [
    "Windows",
    "win32",
    { SystemRoot: "C:\\Windows" },
    [join("C:\\Windows", "System32", "rundll32.exe"), "url.dll,FileProtocolHandler"],
  ],
])("the command that opens an address: %s", (_title, platform, env, expected) => {
  expect(findOpener({ platform, env, cwd: workspace })).toEqual(expected);
});
