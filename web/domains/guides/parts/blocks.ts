/** What a guide consists of, as the build reads it from Markdown (web/bundling/guides/read-blocks.ts). */

export type Inline =
  | string
  | { readonly code: string }
  | { readonly emphasis: string }
  /** `to` is the id of a guide, with the anchor of a part: 'usage#seats'. */
  | { readonly to: string; readonly text: string };

export type Block =
  /** Level 2 begins a part, level 3 a term within it. */
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly text: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  /** `file` is its place in the reader's project, or what it is for, such as 'Terminal'. */
  | { readonly kind: 'code'; readonly file: string; readonly code: string }
  /** Where a local server says why its package is installed as a file. */
  | { readonly kind: 'localInstall' };

/** 'After a checkout' → 'after-a-checkout' */
export const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
