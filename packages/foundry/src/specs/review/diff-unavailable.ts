/**
 * The error for a diff that cannot be created. The message of the error is a part of a sentence. A review continues
 * without the diff, so no caller receives this error.
 */
export class DiffUnavailable extends Error {}
