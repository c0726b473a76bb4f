/** Who runs PostgreSQL, which refuses to be run by root: nobody, where root asks, else who asks. */
export const serverUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** What PostgreSQL sees of the environment: nothing that would make two machines differ. */
export const serverEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: "/usr/bin:/bin",
  HOME: folder,
  LC_ALL: "C",
  TZ: "UTC",
});
