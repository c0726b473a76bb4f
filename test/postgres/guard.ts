import { spawn } from "node:child_process";
import { once } from "node:events";
import { serverEnvironment, serverUser } from "./server-user.ts";

// Its input ends when close() says so and when the process that holds the other end has died, in whatever way.
// A postmaster that stops takes its pid file away.
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

export interface Guard {
  /** Ends what runs on the folder, and removes it. */
  close(): Promise<void>;
}

/** Starts what ends a cluster and removes its folder, at the latest when this process is no more. */
export function openGuard(folder: string): Guard {
  const guard = spawn("/bin/sh", ["-c", script, "guard", folder], {
    ...serverUser,
    cwd: "/",
    env: serverEnvironment(folder),
    stdio: ["pipe", "ignore", "inherit"],
    // Ctrl-C on the tests is not for it.
    detached: true,
  });
  const exited = once(guard, "exit");
  guard.unref();
  return {
    close: async () => {
      guard.ref();
      guard.stdin.end();
      await exited;
    },
  };
}
