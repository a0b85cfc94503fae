/** The example on screen: the one that was just added, or the one that was kept, with its key revealed again. */
import { useState } from 'react';
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import type { CheckedTemplate } from './kept-template.ts';
import { forgetTemplate, readTemplate } from './kept-template.ts';
import { useApplyTemplate } from './mutations.ts';

/** In place of a key until it is revealed. */
const NO_KEY = '…';

export function useTemplate(orgId: string) {
  const apply = useApplyTemplate(orgId);
  const [kept, setKept] = useState(() => readTemplate(orgId));
  const keyId = kept?.environments[0]?.keyId;
  const key = useEndpoint(
    apiKeyEndpoints.reveal,
    { orgId, keyId: keyId ?? null },
    // Each reveal is in the audit log, and the key stays in memory only while it is on screen.
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  // A key that was revoked or cannot be seen leaves nothing that runs.
  const found = kept === null || key.isError ? undefined : withKey(kept, key.data?.value ?? NO_KEY);
  const again = () => {
    forgetTemplate(orgId);
    setKept(null);
    apply.reset();
  };
  return { apply, applied: apply.data ?? found, again };
}

const withKey = (template: CheckedTemplate, secretKey: string): CheckedTemplate => ({
  ...template,
  environments: template.environments.map((each, index) => (index === 0 ? { ...each, secretKey } : each)),
});
