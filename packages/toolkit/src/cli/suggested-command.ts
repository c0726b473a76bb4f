import { maskPasswords } from "../text/mask-secrets.ts";
import { toShellCommand } from "./shell-words.ts";

/** The commands that errors suggest to people. They are not part of the envelope, which programs read. */
const suggested = new WeakMap<object, string>();

/** Adds the words of a command to an error; the terminal shows the command below the error. Returns the error. */
export function withCommand<E extends Error>(error: E, words: readonly string[]): E {
  suggested.set(error, maskPasswords(toShellCommand(words)));
  return error;
}

/** Returns the command that an error suggests, unless the text of the error already names it. */
export function suggestedCommand(thrown: unknown, text: string): string | undefined {
  const command = thrown instanceof Error ? suggested.get(thrown) : undefined;
  return command === undefined || text.includes(`${command}?`) ? undefined : command;
}
