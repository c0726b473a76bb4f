/** Where a workspace is: in a folder, or in a database. */
export type WorkspacePlace =
  | { readonly specs_dir: string }
  | { readonly database: string; readonly workspace: string };
