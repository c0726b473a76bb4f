import { spawn } from "node:child_process";

/** Opens an address with a command of `findOpener`. Returns false if the command cannot be started. */
export function openBrowser([program = "", ...args]: readonly string[], url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true, shell: false });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      // The browser may outlive this process.
      child.unref();
      resolve(true);
    });
  });
}
