/** Sends the preview environment's test check. */
import { testAccessEndpoints } from '#contracts/console/test-access';
import { useFormChange } from '#web/api/use-change.ts';

export const useTestCheck = (orgId: string) => useFormChange(testAccessEndpoints.test, { orgId });
