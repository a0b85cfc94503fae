/** How far the deletion of an organisation is. */
import type { organisationDeletion } from '#worker/db/schema/organisation-deletions';

export type Deletion = typeof organisationDeletion.$inferSelect;

export type Progress =
  | { readonly kind: 'done' }
  /** The same step goes on from this position. */
  | { readonly kind: 'more'; readonly position: number }
  /** For somebody else's work, or because it was enough for one run: the next run tries again. */
  | { readonly kind: 'wait' };
