import { isIPv4 } from "node:net";

/** The names by which programs reach only their own machine; so do all other addresses in 127.0.0.0/8. */
export const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Returns true for a host name, as URLs write it, that means this machine wherever it is resolved. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.includes(name) || (isIPv4(name) && name.startsWith("127."));
}
