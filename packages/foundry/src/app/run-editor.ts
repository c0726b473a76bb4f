import { spawn } from "node:child_process";
import { ContractError } from "@foundry-mcp/contract";
import { toArgv } from "../specs/verify/to-argv.ts";

/** The terminal in which editors run. */
export interface EditorTerminal {
  /** True if a person can type and read the output. */
  readonly isInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs a program in the terminal, and resolves to its exit code. */
  run(argv: readonly string[]): Promise<number>;
}

/** The terminal of this process. */
export const processTerminal: EditorTerminal = {
  get isInteractive() {
    return process.stdin.isTTY === true && process.stdout.isTTY === true;
  },
  env: process.env,
  run: ([program = "", ...args]) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: "inherit", shell: false });
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 1));
    }),
};

/** Opens a file in the user's editor, $VISUAL or $EDITOR, and waits until the editor exits. Throws if that fails. */
export async function runEditor(terminal: EditorTerminal, file: string): Promise<void> {
  const argv = toEditor(terminal.env);
  const code = await terminal.run([...argv, file]).catch((cause: unknown) => {
    throw editorError(`Cannot run the editor ${argv[0]}: it cannot be started`, cause);
  });
  if (code !== 0) throw editorError(`Cannot edit: the editor ${argv[0]} ended with exit code ${code}`);
}

/** Returns the words of the editor command, split without a shell. */
function toEditor(env: EditorTerminal["env"]): readonly string[] {
  const given = [env["VISUAL"], env["EDITOR"]].find((text) => text !== undefined && text.trim() !== "");
  if (given === undefined) return [process.platform === "win32" ? "notepad" : "vi"];
  return toArgv(given);
}

function editorError(message: string, cause?: unknown): ContractError {
  return new ContractError(message, {
    errorCode: "INVALID_STATE",
    remediation:
      "Nothing was changed. Set VISUAL or EDITOR to an editor that waits until the file is closed.",
    cause,
  });
}
