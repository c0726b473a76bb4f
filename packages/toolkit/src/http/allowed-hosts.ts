import { refuseOption } from "./refuse-option.ts";

/** Refuses a list of host names that lets nobody in, or holds what no request can have. */
export function requireHostNames(option: "allowedHosts" | "allowedOrigins", names: unknown): void {
  // No origin at all is a wish that can be granted: no page may call.
  if (!Array.isArray(names) || (names.length === 0 && option === "allowedHosts")) {
    const fault = Array.isArray(names) ? "empty, so it would match nothing" : "no list";
    throw refuseOption(`${option} is ${fault}`, `Name a host, or leave ${option} out.`);
  }
  names.forEach((name: unknown, index) => {
    if (typeof name === "string" && (isHostName(name) || isScheme(option, name))) return;
    const path = `${option}[${index}]`;
    if (typeof name !== "string" || name.trim() === "") {
      throw refuseOption(`${path} is blank`, "Name a host, such as harbour.example.");
    }
    const meant = toHostName(name);
    throw refuseOption(
      `${path} ${JSON.stringify(name.slice(0, 100))} is no host name, so it would match nothing`,
      `Write ${meant === undefined ? "each host by its name" : JSON.stringify(meant)}: no scheme, port, path or *.`,
    );
  });
}

/** Whether it stands as it does in what is compared: lower case, IPv6 in brackets. */
function isHostName(name: string): boolean {
  return toHostName(name) === name;
}

/** All pages of a scheme of programs, such as `vscode-webview://*`; those of the web are named one by one. */
function isScheme(option: string, name: string): boolean {
  return option === "allowedOrigins" && /^[a-z][a-z0-9+.-]*:\/\/\*$/.test(name) && !/^https?:/.test(name);
}

/** The host name in what was written; undefined where there is none. */
function toHostName(written: string): string | undefined {
  const text = written.trim();
  if (text.includes("*")) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  for (const url of [address, `http://[${text}]`]) {
    if (URL.canParse(url)) return new URL(url).hostname || undefined;
  }
  return undefined;
}
