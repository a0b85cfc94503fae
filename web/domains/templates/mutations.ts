/** Adds a template to the workspace, then makes its checks with the key that it created. */
import { useMutation } from '@tanstack/react-query';
import { type AppliedTemplate, type TemplateId, templateEndpoints } from '#contracts/console/templates';
import { accessEndpoints } from '#contracts/public/access';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { callWithKey } from '#web/api/call-with-key.ts';
import { useRefresh } from '#web/api/use-change.ts';
import { type CheckedTemplate, type FeatureAnswer, keepTemplate } from './kept-template.ts';

const PAUSE_MS = 1_000;
/** A new key works within five seconds. */
const MAX_TRIES = 8;

/** The section shows the error. `gcTime: 0` drops the keys from memory once they are no longer on screen. */
export function useApplyTemplate(orgId: string) {
  return useMutation({
    mutationFn: async (template: TemplateId): Promise<CheckedTemplate> => {
      const applied = await call(templateEndpoints.apply, { params: { orgId }, body: { template } });
      const answers = await Promise.all(
        applied.checks.map(async ({ feature }) => [feature, await check(applied, feature)] as const),
      );
      return { ...applied, answers: Object.fromEntries(answers) };
    },
    meta: { isErrorShown: true },
    onSuccess: (checked) => keepTemplate(orgId, checked),
    onSettled: useRefresh(templateEndpoints.apply, { orgId }),
    gcTime: 0,
  });
}

async function check({ customer, environments }: AppliedTemplate, feature: string): Promise<FeatureAnswer> {
  const key = environments[0]?.secretKey ?? '';
  for (let tries = 1; ; tries++) {
    try {
      const body = { userIdentifier: customer, features: [feature] };
      const answer = await callWithKey(accessEndpoints.check, key, body);
      const found = answer.features[feature];
      if (found !== undefined || tries === MAX_TRIES) return found ?? { allowed: false, properties: {} };
    } catch (error) {
      const isNewKey = error instanceof ApiError && error.errorType === 'unauthenticated';
      if (!isNewKey || tries === MAX_TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
