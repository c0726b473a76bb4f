import type { LoginStore, RawTarget } from "@foundry-mcp/toolkit/client";
import { createRedactor, type Redactor } from "../../servers/redact.ts";
import type { ServerTarget } from "../../servers/server-target.ts";
import { moveUserInfo } from "../../servers/url-user-info.ts";
import type { FileLoginStore } from "../login/file-login-store.ts";

/** The target of connections to an upstream, and the function that masks its secrets in texts. */
export interface UpstreamTarget {
  readonly label: string;
  readonly redact: Redactor;
  /** True if the server is a local program that the gateway starts. */
  readonly isCommand: boolean;
  /** Returns the command or URL for a new connection. A command writes its stderr to `onStderr`. */
  open(onStderr: (text: string) => void): RawTarget;
  readonly headers?: Readonly<Record<string, string>>;
  readonly login?: LoginStore;
}

/** Converts a server of a server file to a target that can be connected to any number of times. */
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
    // The tokens are read for each text, because they may have been refreshed while the gateway runs.
    redact: login === undefined ? redact : (text) => createRedactor(login.secrets)(redact(text)),
    isCommand: false,
    ...(login === undefined ? {} : { login }),
    open: () => (target.isSse === true ? { sse: url } : url),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}
