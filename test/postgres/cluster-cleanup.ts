import { spawn } from "node:child_process";
import { once } from "node:events";
import { serverEnvironment, serverUser } from "./server-user.ts";

// The script's input ends when close() is called, or when this process dies for any reason. When a postmaster stops,
// it removes its pid file.
const script = `
cat >/dev/null
file="$1/data/postmaster.pid"
pid=$(head -n 1 "$file" 2>/dev/null)
if [ -n "$pid" ] && kill -QUIT "$pid" 2>/dev/null; then
  tries=0
  while [ -e "$file" ] && [ "$tries" -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
  [ -e "$file" ] && kill -KILL "$pid"
fi
rm -rf "$1" 2>/dev/null || { sleep 0.5; rm -rf "$1"; }
`;

export interface ClusterCleanup {
  /** Stops the cluster and removes its folder. */
  close(): Promise<void>;
}

/**
 * Starts a process that stops a cluster and removes its folder. The process does this on close(), or when this
 * process ends.
 */
export function startCleanup(folder: string): ClusterCleanup {
  const cleanup = spawn("/bin/sh", ["-c", script, "guard", folder], {
    ...serverUser,
    cwd: "/",
    env: serverEnvironment(folder),
    stdio: ["pipe", "ignore", "inherit"],
    // The process is detached, so that Ctrl-C does not reach it.
    detached: true,
  });
  const exited = once(cleanup, "exit");
  cleanup.unref();
  return {
    close: async () => {
      cleanup.ref();
      cleanup.stdin.end();
      await exited;
    },
  };
}
