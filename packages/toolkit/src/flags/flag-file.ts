import { resolve } from "node:path";
import { ContractError, isContractError, notFound, unavailable } from "@foundry-mcp/contract";
import { JsonDepthError, parseJsonText, tooDeep } from "@foundry-mcp/contract/input";
import { isMissing, systemErrorCode } from "../files/system-error.ts";
import { createWorkspaceFiles, readRegularFile } from "../files/workspace-files.ts";
import { type FlagSet, noFlags } from "./flag-definition.ts";
import { quote } from "./flag-problems.ts";
import { isFresh } from "./verdict-cache.ts";

/** Flags are written by hand: no file of them comes near this size. */
const maxBytes = 2 ** 20;

/** The parser, clock and error listener of a flag file. */
export interface FlagFileOptions {
  readonly parse: (content: unknown, origin: string) => FlagSet;
  readonly now: () => number;
  readonly onError: (error: ContractError) => void;
  /** A folder that the file must lie in, links resolved. @default anywhere */
  readonly within?: string | undefined;
}

/**
 * A file of flags that may change at any time. It is read when a flag is evaluated, at most once a
 * second: that also sees a file that was replaced, linked elsewhere or mounted, keeps nothing open and
 * costs nothing while no flag is evaluated.
 */
export class FlagFile {
  readonly #path: string;
  readonly #options: FlagFileOptions;
  readonly #read: () => Promise<{ readonly bytes: Buffer }>;
  #current = noFlags;
  #text: string | undefined;
  /** The failure that was reported last, unless the file has been read since. */
  #failure: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<boolean> | undefined;

  constructor(path: string, options: FlagFileOptions) {
    // The working directory may change.
    this.#path = resolve(path);
    this.#options = options;
    const { within } = options;
    const files = within === undefined ? undefined : createWorkspaceFiles({ root: within });
    this.#read = () => files?.readFile(this.#path, maxBytes) ?? readRegularFile(this.#path, maxBytes);
  }

  /** The flags in force: those of the last valid version. */
  get current(): FlagSet {
    return this.#current;
  }

  /** Reads the file for the first time; throws where it is invalid. */
  async load(): Promise<void> {
    this.#checkedAt = this.#options.now();
    this.#text = await this.#readText();
    this.#current = this.#parse(this.#text);
  }

  /** Checks for a new version; true where it is in force now, undefined where the last check is fresh. */
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
      // Stored before it is parsed, so that an invalid version is reported once.
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
    // Some editors write a byte order mark.
    return parseJsonText(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    if (cause instanceof JsonDepthError) throw tooDeep({ source: origin });
    const position = /position (\d+)/.exec(String(cause))?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
    throw new ContractError(
      `Cannot read ${origin}: it is not JSON${line === undefined ? "" : `, see line ${line}`}`,
      {
        errorCode: "INVALID_FORMAT",
        remediation: `Correct ${origin}, and replace it whole: write beside it, then rename.`,
        cause,
      },
    );
  }
}
