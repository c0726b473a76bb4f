import type { Transport } from "@modelcontextprotocol/client";
import type { Changes } from "./changes.ts";
import type { Json } from "./rpc.ts";
import type { ZooDialect } from "./to-definition.ts";

/** Calls with what is expected of them, as `--calls` takes them from a file. */
export interface ZooCalls {
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments: Json;
    readonly expect: "success" | "failure";
    readonly error_code?: string;
    readonly data?: Json;
  }[];
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
}

/** One way to break the good server. */
export interface Fault {
  /** A new one for every server, for faults that remember something. */
  changes(): Changes;
  /** @default "response-v2" */
  readonly dialect?: ZooDialect;
  /** Rules that such a server cannot but break as well; each has its reason in a comment. */
  readonly also?: readonly string[];
  readonly calls?: ZooCalls;
  /** True of what cannot be seen without a process and its standard output. */
  readonly needsProcess?: boolean;
}

/** Faults by their names in the table of rules. */
export type Faults = Readonly<Record<string, Fault>>;

/** A server of the zoo. */
export interface ZooEntry {
  readonly name: string;
  readonly dialect: ZooDialect;
  readonly also: readonly string[];
  readonly calls?: ZooCalls | undefined;
  readonly needsProcess: boolean;
  /** Puts a new server behind one end of a transport. */
  serve(transport: Transport): Promise<void>;
}

/** A fault that remembers nothing. */
export function defineFault(changes: Changes, rest: Omit<Fault, "changes"> = {}): Fault {
  return { changes: () => changes, ...rest };
}
