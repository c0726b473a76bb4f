/** The form of a request id. */
export const requestIdPattern: RegExp = /^[A-Za-z0-9_-]{1,128}$/;
