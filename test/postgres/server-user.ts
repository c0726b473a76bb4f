/**
 * The user that runs PostgreSQL. PostgreSQL refuses to run as root, so the user is `nobody` if this process is root.
 * Otherwise, the user is that of this process.
 */
export const serverUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Returns a fixed environment for PostgreSQL, so that all machines behave alike. */
export const serverEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: "/usr/bin:/bin",
  HOME: folder,
  LC_ALL: "C",
  TZ: "UTC",
});
