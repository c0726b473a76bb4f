/** The user that runs PostgreSQL, which refuses root: `nobody` if this process is root, else its own user. */
export const serverUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A fixed environment for PostgreSQL, so that all machines behave alike. */
export const serverEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: "/usr/bin:/bin",
  HOME: folder,
  LC_ALL: "C",
  TZ: "UTC",
});
