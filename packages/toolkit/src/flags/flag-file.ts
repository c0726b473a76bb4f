import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ContractError, isContractError, notFound, unavailable } from "@foundry-mcp/contract";
import { isMissing, systemErrorCode } from "../files/system-error.ts";
import { type FlagSet, noFlags } from "./flag-definition.ts";
import { quote } from "./flag-problems.ts";
import { isFresh } from "./is-fresh.ts";

/** A change this young may be followed by another one that the file's times do not tell apart. */
const unsettledMs = 100;

/** How a flag file is read. */
export interface FlagFileOptions {
  readonly parse: (content: unknown, origin: string) => FlagSet;
  readonly now: () => number;
  readonly onError: (error: ContractError) => void;
}

/**
 * A file of flags that may change at any time. It is looked at when it is needed, at most once a second:
 * that sees a file that was replaced, linked elsewhere or mounted, keeps nothing open and costs nothing
 * while nobody asks.
 */
export class FlagFile {
  readonly #path: string;
  readonly #options: FlagFileOptions;
  #current = noFlags;
  #version = "";
  #text: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #look: Promise<boolean> | undefined;

  constructor(path: string, options: FlagFileOptions) {
    // The folder that the process works in may change.
    this.#path = resolve(path);
    this.#options = options;
  }

  /** The flags in force: those of the last version that was in order. */
  get current(): FlagSet {
    return this.#current;
  }

  /** Reads the file for the first time; throws where it is not in order. */
  async load(): Promise<void> {
    this.#lookedAt = this.#options.now();
    this.#version = await this.#readVersion();
    this.#text = await this.#readText();
    this.#current = this.#parse(this.#text);
  }

  /** Looks for a new version; true where it is in force now, undefined where the last look is fresh. */
  refresh(): Promise<boolean> | undefined {
    if (this.#look !== undefined) return this.#look;
    const now = this.#options.now();
    if (isFresh(this.#lookedAt, now)) return undefined;
    this.#lookedAt = now;
    this.#look = this.#readAgain().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  async #readAgain(): Promise<boolean> {
    const version = await this.#readVersion();
    if (version !== "" && version === this.#version) return false;
    this.#version = version;
    try {
      const text = await this.#readText();
      if (text === this.#text) return false;
      // Remembered before it is parsed: what is wrong with it is told once.
      this.#text = text;
      this.#current = this.#parse(text);
      return true;
    } catch (error) {
      if (!isContractError(error)) throw error;
      this.#options.onError(error);
      return false;
    }
  }

  /** What tells one version from the next; empty where the next one might look the same. */
  async #readVersion(): Promise<string> {
    try {
      const { ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(this.#path, { bigint: true });
      const isSettled = Date.now() - Number(ctimeMs) > unsettledMs;
      return isSettled ? `${ino} ${size} ${mtimeNs} ${ctimeNs}` : "";
    } catch (error) {
      return `none: ${systemErrorCode(error) || "unknown"}`;
    }
  }

  async #readText(): Promise<string> {
    const told = quote(this.#path);
    try {
      return await readFile(this.#path, "utf8");
    } catch (cause) {
      if (isMissing(cause)) {
        const remediation = `Write the file ${told}, or give another path.`;
        throw notFound("flag file", this.#path, { cause, remediation });
      }
      throw unavailable(`Cannot read the flag file ${told}: ${systemErrorCode(cause) || "unknown"}`, {
        cause,
        remediation: `Make ${told} a file that this process may read.`,
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
    // Some editors begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
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
