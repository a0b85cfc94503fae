/** One validation error. `path` is dotted and relative to the value; '' is the value itself. */
export interface Issue {
  path: string;
  message: string;
}

/** The only issue of a value. */
export function issue(path: string, message: string): Issue[] {
  return [{ path, message }];
}
