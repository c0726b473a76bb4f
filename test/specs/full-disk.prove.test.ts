import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "./programs.ts";

const worker = fileURLToPath(new URL("../../.build/test/specs/full-disk-worker.js", import.meta.url));
const isRoot = process.getuid?.() === 0;
const ownMounts = isRoot ? ["unshare", "--mount"] : ["unshare", "--user", "--map-root-user", "--mount"];
const canMount =
  spawnSync(ownMounts[0] ?? "", [...ownMounts.slice(1), "mount", "-t", "tmpfs", "none", "/tmp"]).status === 0;
const why = canMount ? "" : " (left out: this user can mount nothing)";

it.skipIf(!canMount)(`loses nothing on a disk that gets full, and works once it has room${why}`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "full-disk-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"';
  const command = [...ownMounts, "sh", "-c", script, folder, process.execPath, worker, folder];
  const { code, stdout, stderr } = await runProgram(command, { cwd: tmpdir() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    full: { failures: ['{"code":"RESOURCE_EXHAUSTED","reason":"ENOSPC"}'], isAllThere: true },
    freed: { isChanged: true, isAllThere: true },
    readOnly: {
      isChanged: false,
      failures: ['{"code":"UNAVAILABLE","reason":"EROFS"}'],
      isAllThere: true,
    },
    writable: { isChanged: true, isAllThere: true },
    hasHistory: true,
  });
});
