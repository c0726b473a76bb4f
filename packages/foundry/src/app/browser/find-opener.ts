import { join } from "node:path";
import { findProgram } from "../../files/find-program.ts";

/** The machine on which a browser may be opened. */
export interface Desktop {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder; programs in this folder are never used. */
  readonly cwd: string;
}

/** The machine of this process. */
export const thisDesktop = (): Desktop => ({
  platform: process.platform,
  env: process.env,
  cwd: process.cwd(),
});

/**
 * Returns the command that opens an address in the browser of the desktop, without the address. Returns undefined if
 * this process has no desktop, as over SSH or in a container.
 */
export function findOpener({ platform, env, cwd }: Desktop): readonly string[] | undefined {
  const isRemote = Boolean(env["SSH_CONNECTION"]);
  if (platform === "darwin") return isRemote ? undefined : ["/usr/bin/open"];
  if (platform === "win32")
    return [
      join(env["SystemRoot"] ?? "C:\\Windows", "System32", "rundll32.exe"),
      "url.dll,FileProtocolHandler",
    ];
  // Over SSH, a display may be forwarded. A browser that is opened there runs on this machine and is shown to the user.
  if (!env["DISPLAY"] && !env["WAYLAND_DISPLAY"]) return undefined;
  const program = findProgram("xdg-open", { path: env["PATH"], workspace: cwd, platform });
  return program === undefined ? undefined : [program];
}
