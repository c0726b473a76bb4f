import { blockerTypes, journalEntryTypes, taskCategories, verificationTypes } from "../known-values.ts";
import { nodeStatuses, nodeTypes, specFolders } from "../spec-document.ts";

/** The values that fields of specs may have; each list is the one that the rules use. */
export const schemaValues = {
  node_types: nodeTypes,
  statuses: nodeStatuses,
  task_categories: taskCategories,
  verification_types: verificationTypes,
  journal_entry_types: journalEntryTypes,
  blocker_types: blockerTypes,
  status_folders: specFolders,
} as const;
