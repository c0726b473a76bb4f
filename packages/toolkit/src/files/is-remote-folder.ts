import { statfsSync } from "node:fs";

/**
 * The magic numbers (statfs) of file systems that are accessed over a network or that other machines may
 * change.
 */
const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0x517b, // smb
  0xff534d42, // cifs
  0xfe534d42, // smb2
  0x65735546, // fuse, including sshfs
  0x01021997, // 9p: folders that a virtual machine shares with its host
  0x786f4256, // vboxsf
  0x00c36400, // ceph
  0x5346414f, // afs
  0x0bd00bd0, // lustre
]);

/**
 * True for a folder on a network file system; false if the folder is missing or the system does not report the type.
 */
export function isRemoteFolder(path: string): boolean {
  try {
    return remoteTypes.has(statfsSync(path).type >>> 0);
  } catch {
    return false;
  }
}
