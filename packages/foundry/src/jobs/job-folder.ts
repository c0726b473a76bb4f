import { join } from "node:path";
import { createWorkspaceFiles, type FileSystem } from "@foundry-mcp/toolkit/files";
import { isJobId } from "@foundry-mcp/toolkit/jobs";
import { lockNames } from "../files/lock/lock-names.ts";

/** The location of the jobs of one workspace. */
export interface JobFolderOptions {
  /** The folder with the jobs of all workspaces. */
  readonly root: string;
  /** The name of the folder of this workspace in `root`. */
  readonly name: string;
}

const extension = ".json";
const locks = "locks";

/**
 * The paths in a folder of jobs, and the file operations in this folder. These operations can only remove files that
 * this program creates.
 */
export class JobFolder {
  readonly root: string;
  readonly path: string;
  readonly locksPath: string;
  readonly fs: FileSystem;

  constructor({ root, name }: JobFolderOptions) {
    this.root = root;
    this.path = join(root, name);
    this.locksPath = join(this.path, locks);
    this.fs = createWorkspaceFiles({
      root,
      privateFolder: name,
      removable: [new RegExp(`${name}/job_[0-9a-f]{32}\\.json`), lockNames(`${name}/${locks}`)],
      // Only the user of this folder may read the calls and the results.
      isPersonal: true,
    });
  }

  /** Returns the path of the file of a job. The caller must have checked the id. */
  jobPath(id: string): string {
    return join(this.path, `${id}${extension}`);
  }

  lockPath(id: string): string {
    return join(this.locksPath, `${id}.lock`);
  }

  /** Returns a list with the id of the job in a file. The list is empty for other files. */
  toIds(fileName: string): readonly string[] {
    const id = fileName.slice(0, -extension.length);
    return fileName.endsWith(extension) && isJobId(id) ? [id] : [];
  }
}
