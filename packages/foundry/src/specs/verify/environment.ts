/** What programs need to find their way. Everything else stays here: among it are the secrets of the server. */
const names = ["PATH", "HOME", "LANG", "TMPDIR"];
/** Without these no program starts on Windows. */
const windowsNames = ["SystemRoot", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "ComSpec"];

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that a program gets: a few of ours, and `CI`, so that it asks nobody and repaints nothing. */
export function toEnvironment(own: Variables, platform: string = process.platform): Record<string, string> {
  const wanted = platform === "win32" ? [...names, ...windowsNames] : names;
  const held = wanted.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(held), CI: "1" };
}
