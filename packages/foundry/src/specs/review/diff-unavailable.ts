/**
 * The error for a diff that cannot be created. The message of the error is a part of a sentence. A review
 * continues without the diff, so this error never reaches a caller.
 */
export class DiffUnavailable extends Error {}
