import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { callCli, cliScript, plainEnv, runCli } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

let place: TestWorkspace;
beforeEach(async () => {
  place = await createWorkspace();
  await place.write("active/alpha.json", specOf("alpha", { title: "The first", phases: 2, tasks: 2 }));
});
afterEach(() => place.remove());

/**
 * Runs a command in a pseudo-terminal. Stdin is the keyboard, and stdout is the output of the terminal. The process
 * id is printed on stderr. At the end, stderr also reports whether the terminal settings were restored. The signal
 * USR1 makes the window small.
 */
const inTerminal = `
import fcntl, os, pty, select, signal, struct, sys, termios
def resize(columns, rows):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
pid, master = pty.fork()
if pid == 0:
    os.read(0, 1)
    os.execvp(sys.argv[1], sys.argv[1:])
resize(100, 30)
signal.signal(signal.SIGUSR1, lambda *_: resize(20, 4))
os.write(master, b"\\n")
before = termios.tcgetattr(master)[:4]
print(pid, file=sys.stderr, flush=True)
inputs = [master, 0]
while True:
    ready = select.select(inputs, [], [])[0]
    if 0 in ready:
        keys = os.read(0, 1024)
        if keys: os.write(master, keys)
        else: inputs.remove(0)
    if master in ready:
        try: text = os.read(master, 65536)
        except OSError: break
        if not text: break
        os.write(1, text)
        now = termios.tcgetattr(master)[:4]
print("as before" if now == before else "changed", file=sys.stderr, flush=True)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
`;

const hasPython = spawnSync("python3", ["-c", "import pty, fcntl, termios"]).status === 0;
if (!hasPython) process.stderr.write("Without python3 there is no terminal to test the live view in.\n");

const taken = "\u001b[?1049h";
const givenBack = "\u001b[?7h\u001b[?25h\u001b[?1049l";

/** A live view in a terminal, with the output that the terminal receives. */
async function openView(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn("python3", ["-c", inTerminal, process.execPath, cliScript, "watch", ...args], {
    cwd: place.folder,
    env: { ...plainEnv(place.folder), TERM: "xterm", NO_COLOR: "1", ...env },
  });
  onTestFinished(() => void child.kill());
  let [written, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const until = async (text: string) => {
    while (!written.includes(text))
      if (await Promise.race([once(child.stdout, "data").then(() => false), ended.then(() => true)]))
        throw new Error(`It ended without ${JSON.stringify(text)}: ${JSON.stringify(written)} ${said}`);
  };
  return {
    ended,
    until,
    press: (keys: string) => child.stdin.write(keys),
    /** The process of the view itself. */
    kill: (signal: NodeJS.Signals) => process.kill(Number(said.split("\n")[0]), signal),
    shrink: () => child.kill("SIGUSR1"),
    /** Returns all output so far, and clears it. */
    take() {
      const all = written;
      written = "";
      return all;
    },
    get said() {
      return said;
    },
  };
}

describe.skipIf(!hasPython)("foundry-cli watch in a terminal", () => {
  it("shows what another process does, and gives the terminal back on q", async () => {
    const view = await openView(["alpha"]);
    await view.until("0 of 4 done");
    expect(view.take().trimStart().startsWith(`${taken}\u001b[?25l`)).toBe(true);
    await callCli(["tasks", "complete", "alpha", "task-1-1", "--note", "It works"], { cwd: place.folder });
    await view.until("1 of 4 done");
    await view.until("Task Completed: Do task-1-1  It works");
    await view.until("task-1-1 completed: Do task-1-1");
    view.press("q");
    expect(await view.ended).toBe(0);
    expect(view.take().endsWith(givenBack)).toBe(true);
    expect(view.said).toMatch(/\nas before\n$/);
  });

  it("shows all specs, those that come, and those that cannot be read", async () => {
    const view = await openView([]);
    await view.until("1 spec, 1 active");
    await place.write("pending/beta.json", specOf("beta", { title: "\u001b]0;owned\u0007The 表示 second" }));
    await view.until("2 specs, 1 active");
    await view.until("\\x1b]0;owned\\x07The 表示 second");
    await place.write("active/alpha.json", "{ broken");
    await view.until("! ");
    await view.until("alpha  cannot be read");
    await place.write("active/alpha.json", specOf("alpha", { title: "The first, mended" }));
    await view.until("The first, mended");
    view.press("q");
    expect(await view.ended).toBe(0);
    expect(view.take()).not.toContain("\u001b]0;");
  });

  it("draws anew in a window of another size", async () => {
    const view = await openView(["alpha"]);
    await view.until("0 of 4 done");
    view.take();
    view.shrink();
    await view.until("The first     active");
    view.press("\u0003");
    expect(await view.ended).toBe(0);
    expect(view.take().endsWith(givenBack)).toBe(true);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("gives the terminal back on %s", async (signal) => {
    const view = await openView([]);
    await view.until("1 spec, 1 active");
    view.kill(signal);
    expect(await view.ended).toBe(0);
    expect(view.take().endsWith(givenBack)).toBe(true);
    expect(view.said).toMatch(/\nas before\n$/);
  });

  it("gives the terminal back before it tells of a fault that nobody expected", async () => {
    const fault = `process.on("SIGUSR2",()=>{throw(new(Error)("planned"))})`;
    const view = await openView([], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
    });
    await view.until("1 spec, 1 active");
    view.kill("SIGUSR2");
    expect(await view.ended).toBe(1);
    const all = view.take();
    expect(all.indexOf(givenBack)).toBeGreaterThan(0);
    expect(all.indexOf("planned")).toBeGreaterThan(all.indexOf(givenBack));
    expect(view.said).toMatch(/\nas before\n$/);
  });

  it("says that a spec is not there, and leaves the screen alone", async () => {
    const view = await openView(["nothing"]);
    expect(await view.ended).toBe(1);
    const all = view.take();
    expect(all.replaceAll("\r", "")).toBe(
      "\nerror: Spec not found: nothing (SPEC_NOT_FOUND)\n" +
        "List the specs with foundry-cli specs find and use one of their ids.\ntry: foundry-cli specs find\n",
    );
  });
});

describe("foundry-cli watch into a pipe", () => {
  async function openPipe(args: readonly string[]): Promise<ChildProcess> {
    const child = spawn(process.execPath, [cliScript, "watch", ...args], {
      cwd: place.folder,
      env: plainEnv(place.folder),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill());
    expect(String(await once(child.stderr as NonNullable<typeof child.stderr>, "data"))).toContain(
      "Watching",
    );
    return child;
  }

  it("writes a line of JSON for each change", async () => {
    const child = await openPipe(["--count", "1"]);
    const ended = once(child, "close");
    let written = "";
    child.stdout?.on("data", (text: Buffer) => {
      written += text.toString();
    });
    const { data } = await callCli(["tasks", "complete", "alpha", "task-1-1"], { cwd: place.folder });
    expect(await ended).toEqual([0, null]);
    expect(JSON.parse(written)).toEqual({
      spec_id: "alpha",
      title: "The first",
      status: "active",
      revision: data["revision"],
      progress: { completed: 1, total: 4, percentage: 25 },
      leases: [],
      changes: [{ verb: "completed", task_id: "task-1-1", title: "Do task-1-1" }],
      changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  it("ends quietly when it is told to, and when nobody reads any more", async () => {
    const first = await openPipe(["alpha"]);
    first.kill("SIGTERM");
    expect(await once(first, "close")).toEqual([0, null]);
    const second = await openPipe([]);
    let said = "";
    second.stderr?.on("data", (text: Buffer) => {
      said += text.toString();
    });
    second.stdout?.destroy();
    const ended = once(second, "close");
    await callCli(["tasks", "complete", "alpha", "task-1-1"], { cwd: place.folder });
    await callCli(["tasks", "complete", "alpha", "task-1-2"], { cwd: place.folder });
    expect(await ended).toEqual([0, null]);
    expect(said).toBe("");
  });

  it.each([
    [["watch", "nothing"], 1, "SPEC_NOT_FOUND"],
    [["watch", "--count", "0"], 2, "VALIDATION_ERROR"],
    [["--specs-dir", "nowhere/at/all", "watch", "x"], 1, "NOT_FOUND"],
  ])("refuses %j", async (argv, code, errorCode) => {
    const run = await runCli(argv, { cwd: place.folder });
    expect(run).toMatchObject({ code, stderr: "" });
    expect(JSON.parse(run.stdout)).toMatchObject({ success: false, data: { error_code: errorCode } });
  });
});
