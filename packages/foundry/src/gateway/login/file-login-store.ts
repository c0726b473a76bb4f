import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { LoginState, LoginStore } from "@foundry-mcp/toolkit/client";
import { createWorkspaceFiles, type FileSystem } from "@foundry-mcp/toolkit/files";
import { replaceFileUnsynced } from "../../files/durable/write-file.ts";
import { minSecretLength } from "../../servers/redact.ts";

const maxBytes = 2 ** 20;

/** Stores the login at one server in a file that only its owner may read. */
export class FileLoginStore implements LoginStore {
  readonly remediation: string;
  readonly #path: string;
  readonly #files: FileSystem;
  #secrets: readonly string[] = [];

  /** Creates the store for a server with this URL. `folder` is the folder of the user's settings. */
  constructor(folder: string, url: string, remediation: string) {
    this.remediation = remediation;
    this.#files = createWorkspaceFiles({ root: folder, privateFolder: ".", isPersonal: true });
    const hash = createHash("sha256").update(url).digest("hex").slice(0, 32);
    this.#path = join(folder, "gateway-logins", `${hash}.json`);
  }

  /** The tokens that were last read or written. Callers mask these tokens in all output. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** Reads the login from the file. Nothing is cached, because another process may have refreshed the tokens. */
  async read(): Promise<LoginState> {
    const read = await this.#files.readFile(this.#path, maxBytes).catch(() => undefined);
    if (read === undefined) return {};
    const state = parse(read.bytes);
    this.#secrets = secretsOf(state);
    return state;
  }

  async write(state: LoginState): Promise<void> {
    this.#secrets = secretsOf(state);
    await this.#files.mkdir(dirname(this.#path), { mode: 0o700 });
    await replaceFileUnsynced(this.#files, this.#path, Buffer.from(JSON.stringify(state)), 0o600);
  }
}

function parse(bytes: Uint8Array): LoginState {
  try {
    const value = parseJsonText(Buffer.from(bytes).toString("utf8"));
    return isRecord(value) ? (value as LoginState) : {};
  } catch {
    return {};
  }
}

function secretsOf({ client, tokens }: LoginState): readonly string[] {
  const values: readonly unknown[] = [
    tokens?.access_token,
    tokens?.refresh_token,
    tokens?.id_token,
    isRecord(client) ? client["client_secret"] : undefined,
  ];
  return values.filter(
    (value): value is string => typeof value === "string" && value.length >= minSecretLength,
  );
}
