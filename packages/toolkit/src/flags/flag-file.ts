import { resolve } from "node:path";
import { ContractError, isContractError, notFound, unavailable } from "@foundry-mcp/contract";
import { JsonDepthError, parseJsonText, tooDeep } from "@foundry-mcp/contract/input";
import { isMissing, systemErrorCode } from "../files/system-error.ts";
import { createWorkspaceFiles, readRegularFile } from "../files/workspace-files.ts";
import { type FlagSet, noFlags } from "./flag-definition.ts";
import { quote } from "./flag-problems.ts";
import { isFresh } from "./verdict-cache.ts";

/** The maximum size of a flag file in bytes, far larger than any file written by hand. */
const maxBytes = 2 ** 20;

/** The parser, clock and error listener of a flag file. */
export interface FlagFileOptions {
  readonly parse: (content: unknown, origin: string) => FlagSet;
  readonly now: () => number;
  readonly onError: (error: ContractError) => void;
  /** A folder that must contain the flag file after links are resolved. @default the file may be anywhere */
  readonly within?: string | undefined;
}

/**
 * A file of flags that may change at any time. The file is read when a flag is evaluated, at most once a
 * second. Unlike a file watcher, reading the file again also detects a file that was replaced, linked
 * elsewhere or mounted. No file stays open, and nothing is read while no flag is evaluated.
 */
export class FlagFile {
  readonly #path: string;
  readonly #options: FlagFileOptions;
  readonly #read: () => Promise<{ readonly bytes: Buffer }>;
  #current = noFlags;
  #text: string | undefined;
  /** The message of the last reported failure to read the file. Undefined after a successful read. */
  #failure: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<boolean> | undefined;

  constructor(path: string, options: FlagFileOptions) {
    // The path is made absolute now, because the working directory of the process may change.
    this.#path = resolve(path);
    this.#options = options;
    const { within } = options;
    const files = within === undefined ? undefined : createWorkspaceFiles({ root: within });
    this.#read = () => files?.readFile(this.#path, maxBytes) ?? readRegularFile(this.#path, maxBytes);
  }

  /** The flags in the last valid version of the file. */
  get current(): FlagSet {
    return this.#current;
  }

  /** Reads the flag file when the flags are opened. Throws if the file is invalid. */
  async load(): Promise<void> {
    this.#checkedAt = this.#options.now();
    this.#text = await this.#readText();
    this.#current = this.#parse(this.#text);
  }

  /**
   * Checks the flag file for a new version. Returns true if a new version was loaded. Returns undefined if
   * the last check was less than a second ago.
   */
  refresh(): Promise<boolean> | undefined {
    if (this.#checking !== undefined) return this.#checking;
    const now = this.#options.now();
    if (isFresh(this.#checkedAt, now)) return undefined;
    this.#checkedAt = now;
    this.#checking = this.#readAgain().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #readAgain(): Promise<boolean> {
    try {
      const text = await this.#readText();
      this.#failure = undefined;
      if (text === this.#text) return false;
      // The text of the file is stored before parsing, so that an invalid version is reported only once.
      this.#text = text;
      this.#current = this.#parse(text);
      return true;
    } catch (error) {
      if (!isContractError(error)) throw error;
      if (error.message !== this.#failure) this.#options.onError(error);
      this.#failure = error.message;
      return false;
    }
  }

  async #readText(): Promise<string> {
    const shown = quote(this.#path);
    try {
      return (await this.#read()).bytes.toString("utf8");
    } catch (cause) {
      if (isContractError(cause)) throw cause;
      if (isMissing(cause)) {
        const remediation = `Write the file ${shown}, or give another path.`;
        throw notFound("flag file", this.#path, { cause, remediation });
      }
      throw unavailable(`Cannot read the flag file ${shown}: ${systemErrorCode(cause) || "unknown"}`, {
        cause,
        remediation: `Make ${shown} a file that this process may read.`,
      });
    }
  }

  #parse(text: string): FlagSet {
    const origin = `the flag file ${quote(this.#path)}`;
    return this.#options.parse(parseJson(text, origin), origin);
  }
}

function parseJson(text: string, origin: string): unknown {
  try {
    // Some editors write a byte order mark at the start of a file.
    return parseJsonText(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    if (cause instanceof JsonDepthError) throw tooDeep({ source: origin });
    const position = /position (\d+)/.exec(String(cause))?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
    throw new ContractError(
      `Cannot read ${origin}: it is not JSON${line === undefined ? "" : `, see line ${line}`}`,
      {
        errorCode: "INVALID_FORMAT",
        remediation: `Correct ${origin}, and replace it atomically: write another file in its folder, then rename it.`,
        cause,
      },
    );
  }
}
