/** The sign-in page's path, which returns to `path` (including its query) afterwards. */
export function signInPath(path: string): string {
  return `/signin?${new URLSearchParams({ returnUrl: path })}`;
}
