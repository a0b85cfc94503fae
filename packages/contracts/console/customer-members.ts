/** The members of a customer: its entities with usage, for the tab of its page. */
import { z } from 'zod';
import { customerReader, member } from '../public/endpoint.ts';
import { entityMeterSchema } from '../public/entities.ts';

/** How many of a customer's entities are read to find those with the most usage. */
export const MEMBERS_READ = 1_000;
/** How many of these are listed. */
export const MEMBERS_LISTED = 200;

export const customerMemberSchema = z.object({
  /** The application's entityId. */
  id: z.string(),
  /** Those that it has used, or that limit it. */
  meters: z.array(entityMeterSchema),
});
export type CustomerMember = z.infer<typeof customerMemberSchema>;

export const customerMemberEndpoints = {
  list: customerReader.get('/api/orgs/:orgId/customers/:identifier/environments/:environmentId/members', {
    summary: 'Members of a customer in an environment, nearest to their limits first',
    reads: 'customers',
    answer: z.object({
      members: z.array(customerMemberSchema),
      /** False: there are more than are read. */
      isComplete: z.boolean(),
      /** False: a region did not answer. */
      isWhole: z.boolean(),
    }),
  }),
  /** Repeating the call has no effect. */
  remove: member.remove(
    '/api/orgs/:orgId/customers/:identifier/environments/:environmentId/members/:entityId',
    { summary: 'Delete a member of a customer, with its own usage', changes: ['customers'] },
  ),
} as const;
