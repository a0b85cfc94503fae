/** Condition: the integration stands. A deleted one keeps a row, as versions of facts go by when it was deleted. */
import { isNull } from 'drizzle-orm';
import { stripeIntegration } from '#worker/db/schema/stripe';

export const isNotDeleted = isNull(stripeIntegration.deletedAt);
