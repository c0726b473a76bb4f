import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServerRegistry } from "#built/foundry/app/create-server-registry.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The answer to a call. */
export interface Envelope {
  readonly success: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly pagination?: { readonly cursor: string | null } };
}

/** A server in this process for a separate workspace. */
export interface WarmServer {
  /** The folder that contains `specs`. */
  readonly folder: string;
  readonly specs: string;
  /** Calls a tool and returns the answer, even if it is a failure. */
  ask(tool: string, args: Arguments): Promise<Envelope>;
  /** Calls a tool. Throws if the call fails, so that failures are not measured. */
  call(tool: string, args: Arguments): Promise<Envelope>;
  close(): Promise<void>;
}

/** Creates an empty workspace and opens the functions of a server for it, with their defaults. */
export async function openWarmServer(): Promise<WarmServer> {
  const folder = await mkdtemp(join(tmpdir(), "bench-specs-"));
  const specs = join(folder, "specs");
  // The environment variables and the settings file of the person who runs the bench must not apply.
  const env = { XDG_CONFIG_HOME: folder, FOUNDRY_SPECS_DIR: specs };
  const settings = await loadSettings({ env, cwd: folder });
  const workspace = openWorkspace(async () => settings, folder);
  const registry = await createServerRegistry(settings, workspace);
  const caller = { surface: "in-process", client: { name: "bench" } } as const;
  const ask = async (tool: string, args: Arguments) =>
    (await registry.dispatch({ tool, args }, caller)).envelope as unknown as Envelope;
  return {
    folder,
    specs,
    ask,
    async call(tool, args) {
      const envelope = await ask(tool, args);
      if (!envelope.success) throw new Error(`A call failed: ${JSON.stringify(envelope).slice(0, 400)}`);
      return envelope;
    },
    async close() {
      await workspace.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
