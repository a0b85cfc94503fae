/** One validation error. `path` is dotted and relative to the value; '' is the value itself. */
export interface Issue {
  path: string;
  message: string;
}
