import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryPath } from "../durable/temporary-files.ts";
import { toLockText } from "./lock-owner.ts";
import { removeStaleLocks } from "./stale-locks.ts";
import { createLockFiles } from "./testing/lock-files.ts";
import { createDeadOwner, createTestOwner, toDeadLock } from "./testing/owners.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("removes the locks and temporary files of dead processes only", async () => {
  const put = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), 0, 0);
    return name;
  };
  const dead = await toDeadLock();
  const alive = toLockText(await createTestOwner());
  const ticket = basename(await temporaryPath(join(folder, "a.lock")));
  await put("a.lock", dead.text);
  await put(`a.lock.break.${dead.nonce}`, (await toDeadLock()).text);
  await put("b.lock.break.0123456789abcdef", (await toDeadLock()).text);
  const { pid } = await createDeadOwner();
  await put(ticket.replace(`-${process.pid}-`, `-${pid}-`), dead.text);
  const kept = [
    await put("c.lock", alive),
    await put("c.lock.break.0123456789abcdef", alive),
    await put("package.lock", "whose is this?"),
    await put("a.json", dead.text),
  ];
  await removeStaleLocks(createLockFiles(folder), folder);
  expect((await readdir(folder)).sort()).toEqual(kept.toSorted());
  await removeStaleLocks(createLockFiles(folder), join(folder, "none"));
});
