/** Thrown for what the API refuses: its status, its error body, and headers. */
export class Refusal extends Error {
  readonly status: number;
  readonly errorType: string;
  readonly issues: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    errorType: string,
    message: string,
    { issues, headers = {} }: { issues?: Refusal['issues']; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.errorType = errorType;
    this.issues = issues;
    this.headers = headers;
  }
}

/** @param path of the field, with dots; empty for the whole body */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal(400, 'invalid-request', path === '' ? message : `${path}: ${message}`, {
    issues: [{ path, message }],
  });
}

export function errorBody({ errorType, message, issues }: Refusal, requestId: string): object {
  return { status: 'error', requestId, errorType, message, ...(issues && { issues }) };
}
