import { readdirSync, readFileSync } from "node:fs";

const folders = ["packages", "test"];

/**
 * Returns the test files that count the timers of their process. A process that runs other files too may hold timers
 * of theirs: a connection that is being closed, a sweep that ends later.
 */
export function findTimerTests(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<!\.prove)\.test\.ts$/.test(path) && !path.includes("node_modules"))
      .map((path) => `${folder}/${path}`.replaceAll("\\", "/"))
      .filter((path) => readFileSync(path, "utf8").includes("vi.getTimerCount(")),
  );
}
