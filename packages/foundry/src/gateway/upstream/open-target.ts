import type { LoginStore, RawTarget } from "@foundry-mcp/toolkit/client";
import { createRedactor, type Redactor } from "../../servers/redact.ts";
import type { ServerTarget } from "../../servers/server-target.ts";
import { moveUserInfo } from "../../servers/url-user-info.ts";
import type { FileLoginStore } from "../login/file-login-store.ts";

/** A server to connect to, and the function that masks its secrets. */
export interface UpstreamTarget {
  readonly label: string;
  readonly redact: Redactor;
  /** True for a server that is started as a command. */
  readonly isCommand: boolean;
  /** Returns what to connect to; called once for each connection. */
  open(onStderr: (text: string) => void): RawTarget;
  readonly headers?: Readonly<Record<string, string>>;
  readonly login?: LoginStore;
}

/** Converts the target of a server file to one that can be connected to repeatedly. */
export function toUpstreamTarget(
  { label, target, secrets }: ServerTarget,
  openLogin?: (url: string) => FileLoginStore | undefined,
): UpstreamTarget {
  if (!("url" in target)) {
    return {
      label,
      redact: createRedactor(secrets),
      isCommand: true,
      open: (onStderr) => ({ ...target, stderr: onStderr }),
    };
  }
  const { url, headers, secrets: found } = moveUserInfo(target);
  const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const login = hasToken ? undefined : openLogin?.(url);
  const redact = createRedactor([...secrets, ...found]);
  return {
    label,
    // Tokens are refreshed while the gateway runs.
    redact: login === undefined ? redact : (text) => createRedactor(login.secrets)(redact(text)),
    isCommand: false,
    ...(login === undefined ? {} : { login }),
    open: () => (target.isSse === true ? { sse: url } : url),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}
