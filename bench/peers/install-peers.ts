import { execFile } from "node:child_process";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The other programs that a bench may run, each with the exact version of its npm package. */
export const peerVersions = {
  "backlog.md": "1.52.0",
  "@fission-ai/openspec": "1.13.2",
  "mcp-proxy": "6.7.19",
  "task-master-ai": "0.43.1",
} as const;

/** The name of a peer's npm package. */
export type PeerName = keyof typeof peerVersions;

/** The peers that were installed, and the peers that were not. */
export interface Peers {
  /** Returns the path of a program of a peer; undefined if the peer is not installed. */
  programOf(peer: PeerName, program: string): string | undefined;
  readonly missing: readonly { readonly peer: string; readonly why: string }[];
}

/** Peers that take a long time to install, and that are installed only if FOUNDRY_BENCH_PEERS names them. */
const onRequest: readonly PeerName[] = ["task-master-ai"];
const maxInstallMs = 300_000;

/**
 * Installs peers into a cache folder outside the repository, once for each version. Their install scripts do not run.
 */
export async function installPeers(names: readonly PeerName[]): Promise<Peers> {
  const root = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "foundry-bench");
  const installed = new Map<PeerName, string>();
  const missing: { peer: string; why: string }[] = [];
  const requested = (process.env["FOUNDRY_BENCH_PEERS"] ?? "").split(",");
  for (const name of names) {
    const peer = `${name}@${peerVersions[name]}`;
    if (onRequest.includes(name) && !requested.includes(name)) {
      missing.push({ peer, why: `it takes minutes to install; set FOUNDRY_BENCH_PEERS=${name}` });
      continue;
    }
    const folder = join(root, peer.replaceAll("/", "+"));
    const failure = await install(peer, folder);
    if (failure === undefined) installed.set(name, folder);
    else missing.push({ peer, why: failure });
  }
  return {
    programOf(name, program) {
      const folder = installed.get(name);
      return folder && join(folder, "node_modules/.bin", program);
    },
    missing,
  };
}

/** Installs a package unless it is there; returns the reason if the installation fails. */
async function install(peer: string, folder: string): Promise<string | undefined> {
  const done = join(folder, "installed");
  if ((await stat(done).catch(() => undefined)) !== undefined) return undefined;
  console.log(`Installing ${peer} into ${folder}`);
  try {
    await mkdir(folder, { recursive: true });
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
    await promisify(execFile)("npm", ["install", ...options, peer], { timeout: maxInstallMs, cwd: folder });
    await writeFile(done, "");
    return undefined;
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    return text.split("\n").find((line) => /error|E\d{3}|ETIMEDOUT|code/i.test(line)) ?? "npm failed";
  }
}
